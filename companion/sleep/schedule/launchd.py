"""A launchd agent (launchd.plist(5)) (pure)."""

import os
import plistlib

from companion.sleep.schedule.plan import Job, PlannedFile


def make_files(job: Job, folder: str) -> list[PlannedFile]:
    """Return the property list of *job*, for the *folder* of a person's agents.

    launchd makes up for a wake that the machine slept through, and never runs one job twice at
    once.
    """
    agent = {
        "Label": job.name,
        "ProgramArguments": list(job.command),
        "EnvironmentVariables": job.variables,
        "StartInterval": job.minutes * 60,
        "ProcessType": "Background",
        "LowPriorityIO": True,
        "Nice": 10,
    }
    text = plistlib.dumps(agent, sort_keys=False).decode()
    return [PlannedFile(os.path.join(folder, f"{job.name}.plist"), text)]
