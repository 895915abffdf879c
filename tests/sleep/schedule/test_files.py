"""The files of a schedule say what they should, and the systems' own parsers take them."""

import plistlib
import shlex
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.sleep.schedule import cron, launchd, systemd
from companion.sleep.schedule.plan import Job

HARD = '/home/ada/My notes (50% done)/it\'s $HOME \\ "quoted", ünïcode'


def job(wiki: str = "/home/ada/notes", **more: object) -> Job:
    fields = {
        "program": ("/home/ada/.local/bin/companion",),
        "path": "/usr/bin:/bin",
        "home": "/home/ada",
        "minutes": 20,
        "state_home": None,
    }
    return Job(wiki=wiki, **{**fields, **more})  # type: ignore[arg-type]


PATHS = st.text(
    st.characters(
        codec="utf-8",
        exclude_characters="\0\n\r",
        exclude_categories=["Cc", "Cs"],
    ),
    min_size=1,
).map(lambda name: "/" + name.strip("/"))


@given(PATHS)
def test_the_shell_of_cron_sees_the_path_as_it_is(wiki: str) -> None:
    line = cron.make_lines(job(wiki)).splitlines()[1]
    schedule, command = line.split(" * * * * ", 1)
    assert schedule == "*/20"
    # cron cuts at a percent sign without a backslash, and takes the backslash away
    assert "%" not in command.replace("\\%", "")
    words = shlex.split(command.replace("\\%", "%"))
    assert words[words.index("--wiki") + 1] == wiki
    assert words[-2:] == ["sleep", "--unattended"]


@given(PATHS)
def test_launchd_reads_the_path_as_it_is(wiki: str) -> None:
    (file,) = launchd.make_files(job(wiki), "/home/ada/Library/LaunchAgents")
    agent = plistlib.loads(file.text.encode())
    assert agent["ProgramArguments"][2] == wiki
    assert agent["StartInterval"] == 1200
    assert agent["EnvironmentVariables"] == {
        "HOME": "/home/ada",
        "PATH": "/usr/bin:/bin",
    }


CRONTABS = st.lists(
    st.sampled_from(
        ["MAILTO=ada", "# mine", "5 4 * * * backup", "", "  # companion"]
    )
).map(lambda lines: "".join(line + "\n" for line in lines))


@given(CRONTABS, PATHS, PATHS)
def test_other_lines_of_a_crontab_stay(
    crontab: str, wiki: str, other: str
) -> None:
    once = cron.put_lines(crontab, job(wiki))
    assert cron.put_lines(once, job(wiki)) == once
    assert cron.find_lines(once, job(wiki).name) == cron.make_lines(job(wiki))
    both = cron.put_lines(once, job(other))
    if other != wiki:
        assert cron.take_lines(both, job(other).name) == once
    assert cron.take_lines(once, job(wiki).name) == crontab


def test_two_wikis_of_one_name_have_two_jobs() -> None:
    names = {job("/home/ada/notes").name, job("/srv/notes").name}
    assert len(names) == 2
    assert all(name.startswith("companion-notes-") for name in names)


def test_without_its_closing_mark_nothing_of_a_crontab_is_taken() -> None:
    torn = (
        "5 4 * * * backup\n"
        + cron.make_lines(job()).splitlines()[0]
        + "\n1 1 * * * mine\n"
    )
    assert cron.take_lines(torn, job().name) == torn


@pytest.mark.needs("systemd-analyze")
@pytest.mark.parametrize("wiki", ["/home/ada/notes", HARD])
def test_systemd_takes_the_units(wiki: str, tmp_path: Path) -> None:
    files = systemd.make_files(job(wiki, program=("/bin/true",)), str(tmp_path))
    for file in files:
        Path(file.path).write_text(file.text)
    done = subprocess.run(
        ["systemd-analyze", "verify", "--user", *(file.path for file in files)],
        capture_output=True,
        text=True,
        env={"XDG_RUNTIME_DIR": str(tmp_path), "PATH": "/usr/bin:/bin"},
    )
    assert done.returncode == 0 and tmp_path.name not in done.stderr, (
        done.stderr
    )


@pytest.mark.needs("systemd-analyze")
def test_systemd_wakes_three_times_an_hour() -> None:
    _, timer = systemd.make_files(job(), "/x")
    (when,) = [
        line
        for line in timer.text.splitlines()
        if line.startswith("OnCalendar=")
    ]
    done = subprocess.run(
        [
            "systemd-analyze",
            "calendar",
            "--base-time=2026-11-23 10:01",
            "--iterations=3",
            when.removeprefix("OnCalendar="),
        ],
        capture_output=True,
        text=True,
        env={"TZ": "UTC", "PATH": "/usr/bin:/bin", "LC_ALL": "C"},
    )
    assert done.returncode == 0, done.stderr
    for minute in ("10:20:00", "10:40:00", "11:00:00"):
        assert minute in done.stdout


@pytest.mark.parametrize("make", [systemd.make_files, launchd.make_files])
def test_a_variable_goes_along_where_it_is_set(make: object) -> None:
    files = make(job(state_home="/home/ada/state"), "/x")  # type: ignore[operator]
    assert (
        "XDG_STATE_HOME" in files[0].text and "/home/ada/state" in files[0].text
    )


@pytest.mark.parametrize("wiki", ["/a\nb"])
def test_a_line_feed_in_a_path_is_refused(wiki: str) -> None:
    for make in (cron.make_lines, lambda job: systemd.make_files(job, "/x")):
        with pytest.raises(ValueError, match="line feed"):
            make(job(wiki))
