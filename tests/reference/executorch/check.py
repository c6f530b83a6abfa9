"""Compares what the reference readers make of real files with what they make of those that binfmt wrote."""

import os
import sys
import tempfile

import data
import programs
import rules
import weights


class Report:
    """One line for each comparison; the last one counts."""

    def __init__(self):
        self.same = 0
        self.different = 0

    def compare(self, what, expected, found):
        """Whether two results are the same; of those that are not, a line says how."""
        if expected == found:
            self.same += 1
            return True
        self.different += 1
        print(f"DIFFERENT {what}: {short(expected)} became {short(found)}")
        return False


def short(value):
    text = repr(value)
    return text if len(text) < 200 else text[:200] + ".."


def main():
    report = Report()
    print("ExecuTorch 1.5.1, Program.Verification.InternalConsistency")
    with tempfile.TemporaryDirectory() as folder:
        corpus = os.path.join("tests", "corpus")
        programs.check(os.path.join(corpus, "pte"), folder, report)
        data.check(corpus, folder, report)
        rules.check(os.path.join(corpus, "pte"), folder, report)
        weights.check(folder, report)
    print(f"{report.same} comparisons are equal, {report.different} are not")
    return 1 if report.different else 0


if __name__ == "__main__":
    sys.exit(main())
