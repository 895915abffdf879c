"""The paper's four predictions (MaM §7) as paired, seeded experiments.

    python -m tests.predictions                  30 seeds, results and plots under docs/quality
    python -m tests.predictions --seeds 4        the same, printed only
    python -m tests.predictions --program        Prediction 4 through the installed program

A life is half a year of one simulated person: what they care about drifts, they go on holiday, are
obsessed for some weeks, change their role, and are told wrong things by a loud source and by a
trusted one. The same life is lived by five memories that differ in one part each. All that decides
in them is the program's own: gravity, vitality, protection, pressure, promotion and the consequences
of audits. What the program does with words (who contradicts whom) is known by the making of the
world, and a judge that misses three ties of ten stands for it.
"""
