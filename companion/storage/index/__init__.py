"""index.db, which holds what git adds up to."""
