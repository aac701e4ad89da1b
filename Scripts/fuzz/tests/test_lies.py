"""Tests that every target reports wrong answers: the programs are real, but their answers are modified in transit."""
import os
import unittest
from unittest import mock

import targets.files
import targets.pattern
from driver import BUILD, Environment, Run
from engine import LibraryError
from process import Outcome

# The number of cases with modified answers after which a target that has reported no fault fails.
ATTEMPTS = 60


class ModifiedAnswerTests(unittest.TestCase):
    def setUp(self):
        self.environment = Environment(BUILD, os.devnull)
        self.environment.faults_folder = self.environment.folder("faults")
        self.addCleanup(self.environment.remove)

    def assert_reported(self, name, change, kinds=("wrong answer",)):
        """Checks that a fault is reported if `change` modifies the answers of the engine."""
        run = Run(name, self.environment, "lies", report=lambda text: None)
        self.addCleanup(run.target.close)
        run.prepare(0)
        ask = run.target.engine.ask
        run.target.engine.ask = lambda operation, echoed="", **arguments: change(operation,
                                                                                 ask(operation, echoed, **arguments))
        for number in range(ATTEMPTS):
            if number // run.target.round_size:
                break
            fault = run.case(number, shortens=False)
            if fault:
                self.assertIn(fault.kind, kinds)
                return
        self.fail(f"{name} reported none of {ATTEMPTS} modified answers")

    def dropping(self, member, operation):
        def change(asked, answer):
            return {**answer, member: answer[member][:-1]} if asked == operation and answer.get(member) else answer
        return change

    def test_sql_reports_a_lost_row(self):
        self.assert_reported("sql", self.dropping("rows", "query"))

    def test_replication_reports_a_document_that_the_peer_must_not_read(self):
        self.assert_reported("replication", lambda asked, answer: {**answer, "received": "confidential-7f3a"}
                             if asked == "peer" else answer)

    def test_search_reports_a_lost_hit(self):
        self.assert_reported("search", self.dropping("ids", "search"))

    def test_json_reports_a_changed_document(self):
        self.assert_reported("json", lambda asked, answer: {"json": "{}"} if asked == "get" else answer)

    def test_json_reports_a_rejected_document(self):
        def reject(asked, answer):
            if asked == "put":
                raise LibraryError("no", 0)
            return answer
        self.assert_reported("json", reject, ("rejected JSON",))

    def test_csv_reports_a_lost_row(self):
        self.assert_reported("csv", self.dropping("documents", "read"))

    def test_html_reports_a_word_that_is_not_found(self):
        self.assert_reported("html", self.dropping("ids", "search"))

    def test_markdown_reports_a_wrong_title(self):
        def change(asked, answer):
            for entry in answer.get("documents", []) if asked == "read" else []:
                entry["json"] = entry["json"].replace('"title":"w', '"title":"W')
            return answer
        self.assert_reported("markdown", change)

    def test_files_reports_damage_that_verify_does_not_detect(self):
        patch = mock.patch.object(targets.files.FileTarget, "verify", return_value=True)
        patch.start()
        self.addCleanup(patch.stop)
        self.assert_reported("files", self.dropping("ids", "search"), ("undetected damage",))

    def test_pattern_reports_a_lost_line(self):
        grep = targets.pattern.concord

        def lose(environment, arguments, *rest, **options):
            outcome = grep(environment, arguments, *rest, **options)
            return Outcome(outcome.status, outcome.output[:outcome.output.rfind(b"\n", 0, -1) + 1], outcome.messages)
        with mock.patch.object(targets.pattern, "concord", lose):
            self.assert_reported("pattern", lambda asked, answer: answer)
