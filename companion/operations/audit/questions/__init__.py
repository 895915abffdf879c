"""Choose the questions of an audit, ask them again, and let a model judge the answers."""
