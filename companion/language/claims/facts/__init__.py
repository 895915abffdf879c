"""The facts of a clause, by its kind: with a copula, with a main verb, or in an aside."""
