from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

HEADER = (
    "kernel_name,kernel_provider,kernel_operation_mode,metric_name,metric_unit,x_name,x_label,x_value,"
    "y_value_50,y_value_20,y_value_80,extra_benchmark_config_str,gpu_name,timestamp,liger_version"
)
ROW = (
    "rope,liger,backward,speed,ms,H,hidden size,8192,0.4102399945259094,0.40871042013168335,0.4119040071964264,"
    '"{""dtype"": ""torch.bfloat16"", ""num_kv_heads"": 8, ""num_q_heads"": 32, ""seq_len"": 16384}",'
    "NVIDIA A100-SXM4-80GB,2024-09-03 15:40:08,0.2.1"
)


@pytest.fixture
def table(kix):
    real = Path(__file__).parents[3] / "shared" / "liger" / "all_benchmark_data.csv"
    rows = [ROW]
    if real.is_file():
        rows = [line for line in real.read_text().splitlines() if line.startswith("rope,") and ",speed," in line][:3]
    kix.file("table.csv", "\r\n".join([HEADER, *rows, ""]))
    return len(rows)


def test_a_stream(kix, table):
    done = kix("import", "liger", "table.csv")
    assert done.returncode == 0
    assert done.stderr == ""
    documents = [json.loads(line) for line in done.stdout.splitlines()]
    assert sum("run" in document for document in documents) == table
    kix.file("out.jsonl", done.stdout)
    assert kix("check", "out.jsonl").returncode == 0


def test_one_submission(kix, table):
    done = kix("import", "liger", "table.csv", "--to", "submission")
    assert len(json.loads(done.stdout)["runs"]) == table
    assert kix("import", "liger", "table.csv", "-o", "out.yaml.gz").returncode == 0
    assert kix("check", "out.yaml.gz").returncode == 0


def test_a_folder(kix, table):
    done = kix("import", "liger", "table.csv", "--to", "folder", "-o", "out")
    assert (done.returncode, done.stdout) == (0, "")
    names = [os.path.join(root, name) for root, _, files in os.walk(kix.folder / "out") for name in files]
    assert sum("runs" in name for name in names) == table
    assert kix("check", "out").returncode == 0
    assert kix("import", "liger", "table.csv", "--to", "folder").returncode == 2
    done = kix("import", "liger", "table.csv", "--to", "folder", "-o", "table.csv")
    assert done.returncode == 2
    assert done.stderr.startswith("kix-schema: table.csv/")


def test_what_is_skipped_is_told(kix):
    kix.file("table.csv", f"{HEADER}\r\n{ROW.replace('0.4102399945259094', 'NaN')}\r\n")
    done = kix("import", "liger", "table.csv", "-v")
    assert done.returncode == 1
    assert "table.csv:2:" in done.stderr
    assert "1 rows, 0 runs" in done.stderr


def test_every_skipped_row_is_listed(kix):
    kix.file("table.csv", f"{HEADER}\r\n{ROW.replace(',speed,', ',memory,')}\r\n{ROW}\r\n")
    done = kix("import", "liger", "table.csv", "-v", "-o", "out.jsonl")
    assert done.returncode == 0
    assert "table.csv:2: skipped (not-speed): metric_name is 'memory': only speed is imported" in done.stderr
    assert "skipped: 1 not-speed" in done.stderr


def test_traps_are_told_without_being_asked_for(kix):
    other = ROW.replace("rope,liger", "rope,huggingface")
    assert "KIX507" not in kix("import", "liger", kix.file("table.csv", f"{HEADER}\n{ROW}\n{other}\n")).stderr
    again = ROW.replace("15:40:08", "16:40:08")
    done = kix("import", "liger", kix.file("table.csv", f"{HEADER}\n{ROW}\n{again}\n"), "-o", "out.jsonl")
    assert done.returncode == 0
    assert "KIX506" in done.stderr


def test_nothing_imported_is_no_success(kix):
    kix.file("table.csv", f"{HEADER}\r\n")
    done = kix("import", "liger", "table.csv", "--to", "submission", "-o", "out.json")
    assert done.returncode == 1
    assert "nothing of it could be imported" in done.stderr
    assert not (kix.folder / "out.json").exists()


def test_a_file_that_is_not_there(kix):
    done = kix("import", "liger", "gone.csv")
    assert (done.returncode, done.stderr) == (2, "kix-schema: gone.csv: No such file or directory\n")
