"""Every parser of foreign bytes, fed with damaged ones."""
