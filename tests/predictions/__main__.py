"""Run the experiments, and print or record what they show."""

import argparse

from tests.made import note_origin
from tests.predictions import program, results
from tests.predictions.page import draw_plot, write_page


def main() -> None:
    """Read the command line and run."""
    parser = argparse.ArgumentParser(prog="python -m tests.predictions")
    parser.add_argument("--seeds", type=int, default=len(results.SEEDS))
    parser.add_argument(
        "--record", action="store_true", help="write docs/quality"
    )
    parser.add_argument(
        "--program", action="store_true", help="Prediction 4 by the program"
    )
    chosen = parser.parse_args()
    if chosen.program:
        _print_program()
        return
    seeds = results.SEEDS[: chosen.seeds]
    found = results.run(seeds, note_origin(results.COMMAND))
    print(write_page(found))
    if chosen.record:
        results.RECORD.parent.mkdir(exist_ok=True)
        results.RECORD.write_text(results.write_record(found), "utf-8")
        results.PAGE.write_text(write_page(found), "utf-8")
        results.PLOT.write_text(draw_plot(found), "utf-8")


def _print_program() -> None:
    found = program.run()
    for each in found:
        print(f"{each.world}: {'won' if each.won else 'waits'}")
        print(f"  with promotion     {each.whole}")
        print(f"  without promotion  {each.without}")
    won = [each for each in found if each.won]
    changed = sum(each.is_influenced for each in won)
    print(
        f"{len(won)} of {len(found)} won; {changed} of them changed an answer"
    )


if __name__ == "__main__":
    main()
