"""Tests that the fuzzer reports programs that crash, hang, give wrong answers or print invalid messages."""
import os
import shutil
import stat
import tempfile
import unittest
from unittest import mock

import engine
import process
from driver import Run
from engine import Engine, LibraryError
from faults import Fault
from messages import check_printed, check_text
from minimise import fault_of, minimise
from targets import TARGETS
from targets.base import Target


class Programs:
    """The environment of a run, with a shell script as the programs under test."""

    def __init__(self, script="exit 0"):
        self.root = tempfile.mkdtemp(prefix="concord-fuzz-test-")
        self.faults_folder = os.path.join(self.root, "faults")
        self.concord = self.fuzz_program = os.path.join(self.root, "program")
        with open(self.concord, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n" + script + "\n")
        os.chmod(self.concord, stat.S_IRWXU)

    def folder(self, name):
        return tempfile.mkdtemp(prefix=name, dir=self.root)

    def remove(self):
        shutil.rmtree(self.root)


class FaultTests(unittest.TestCase):
    def programs(self, script):
        made = Programs(script)
        self.addCleanup(made.remove)
        return made

    def assert_fault(self, kind, body):
        with self.assertRaises(Fault) as context:
            body()
        self.assertEqual(context.exception.kind, kind)


class ProcessTests(FaultTests):
    def run_command(self, script):
        return process.concord(self.programs(script), ["x"], "/")

    def test_a_signal_is_a_crash(self):
        self.assert_fault("crash", lambda: self.run_command("kill -SEGV $$"))

    def test_processor_time_without_end_is_a_hang(self):
        with mock.patch.object(process, "CPU_SECONDS", 1):
            self.assert_fault("hang", lambda: self.run_command("while :; do :; done"))

    def test_other_exit_statuses(self):
        self.assert_fault("exit status", lambda: self.run_command("exit 64"))
        self.assertEqual(self.run_command("exit 1").status, 1)

    def test_an_error_without_a_message(self):
        self.assert_fault("silent error", lambda: self.run_command("exit 2"))

    def test_messages(self):
        self.assert_fault("control character", lambda: self.run_command("printf 'a \\033[31m' >&2"))
        self.assert_fault("internal message", lambda: self.run_command("echo 'no such column: x' >&2; exit 2"))
        self.assert_fault("unreadable message", lambda: check_printed(b"\xff"))
        check_text("no such table", given="no such table")
        check_text("concord: fts5: No such file or directory", given="import fts5")
        self.assert_fault("internal message", lambda: check_text("fts5: syntax error", given="search x"))


class EngineTests(FaultTests):
    def ask(self, script):
        asked = Engine(self.programs(script).fuzz_program)
        try:
            return asked.ask("x")
        finally:
            asked.stop()

    def test_a_process_that_ends_is_a_crash(self):
        self.assert_fault("crash", lambda: self.ask("read line; echo trap >&2; kill -ILL $$"))

    def test_a_process_that_does_not_answer_is_a_hang(self):
        with mock.patch.object(engine, "CPU_SECONDS", 0.5):
            self.assert_fault("hang", lambda: self.ask("read line; while :; do :; done"))

    def test_answers_must_be_json(self):
        self.assert_fault("invalid JSON", lambda: self.ask("read line; echo '{'; read line"))

    def test_errors_must_be_those_of_the_library(self):
        self.assert_fault("internal error",
                          lambda: self.ask("""read line; echo '{"error":"x","kind":"DecodingError"}'; read line"""))
        with self.assertRaises(LibraryError):
            self.ask("""read line; echo '{"error":"x","kind":"library","code":1}'; read line""")

    def test_the_process_is_started_again_after_a_crash(self):
        asked = Engine(self.programs("read line; test -e crashed && echo '{}' && read line; touch crashed; kill -SEGV $$").fuzz_program)
        with mock.patch("subprocess.Popen", wraps=engine.subprocess.Popen) as start:
            folder = os.getcwd()
            os.chdir(self.programs("").root)
            self.addCleanup(os.chdir, folder)
            self.assert_fault("crash", lambda: asked.ask("x"))
            self.assertEqual(asked.ask("x"), {})
            self.assertEqual(start.call_count, 2)
        asked.stop()


class WordTarget(Target):
    """Reports a fault for every text that contains both letters."""
    name = "word"
    round_size = 10

    def generate(self, random):
        return "".join(random.choice("abcdefgh") for _ in range(40))

    def check(self, given):
        if "a" in given and "h" in given:
            raise Fault("wrong answer", given)


class DriverTests(FaultTests):
    def setUp(self):
        self.environment = self.programs("exit 0")
        patch = mock.patch.dict(TARGETS, {"word": WordTarget})
        patch.start()
        self.addCleanup(patch.stop)

    def test_faults_are_counted_shortened_stored_and_printed(self):
        printed = []
        run = Run("word", self.environment, "7", printed.append).run(count=3)
        self.assertEqual((run.passed, run.failed), (0, 3))
        self.assertIn("replay: python3 Scripts/fuzz --replay word:7:0 --input", printed[0])
        with open(os.path.join(self.environment.faults_folder, "word-7-0", "input.json"), encoding="utf-8") as file:
            self.assertEqual(sorted(file.read().strip('"')), ["a", "h"])

    def test_a_case_depends_on_its_number_and_seed_alone(self):
        first, second = (Run("word", self.environment, "7") for _ in range(2))
        made = [first.prepare(number) for number in range(25)]
        self.assertEqual(second.prepare(24), made[24])
        self.assertEqual(second.prepare(3), made[3])
        self.assertNotEqual(Run("word", self.environment, "8").prepare(3), made[3])

    def test_shortening_keeps_the_kind_of_fault(self):
        target = WordTarget(self.environment)
        found = minimise(target, "xxaxxhxx", "wrong answer")
        self.assertEqual(found, "ah")
        self.assertIsNone(fault_of(target, found, "crash"))
