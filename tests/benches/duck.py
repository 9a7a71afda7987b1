"""DuckDB beside the server: one JSON request a line in, one JSON answer a line out.

{"load": [csv…], "file": …}          the charges of FOCUS files as a table of the columns that are asked for
{"open": file, "threads": n}         the same file, with so many threads
{"ask": sql, "times": n}             seconds of every run, processor seconds of all; rows are not carried into Python
{"rows": sql}                        the rows, as texts
{"sizes": sqlite file}               bytes of every table and index of an SQLite file
"""

import decimal
import json
import resource
import sqlite3
import sys
import time

import duckdb

TAGS = ["team", "environment", "application", "owner", "project", "cost_center"]
LOAD = """
CREATE TABLE spends AS
SELECT ChargePeriodStart::TIMESTAMP AS date, ChargePeriodEnd::TIMESTAMP AS period_end,
    BilledCost::DECIMAL(18,10) AS billed_cost, EffectiveCost::DECIMAL(18,10) AS effective_cost,
    ListCost::DECIMAL(18,10) AS list_cost, ContractedCost::DECIMAL(18,10) AS contracted_cost,
    SubAccountId AS account, ServiceName AS service, RegionId AS region, ResourceId AS resource, BillingCurrency AS unit,
    ProviderName AS provider, ServiceCategory AS service_category, ChargeCategory AS charge_category,
    BillingAccountId AS billing_account, CommitmentDiscountStatus AS commitment_status, filename AS file,
    false AS exclude_aggregate, ResourceType AS kind, {tags}
FROM read_csv({files}, header = true, all_varchar = true, filename = true)
"""


def cpu():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def load(files, file):
    tags = ", ".join(f"Tags->>'{tag}' AS {tag}" for tag in TAGS)
    database = duckdb.connect(file)
    # A database of the order of the files may be loaded in any order; so may the server's.
    database.execute("SET preserve_insertion_order = false")
    database.execute(LOAD.format(tags=tags, files=json.dumps(files).replace('"', "'")))
    database.execute("CHECKPOINT")
    database.close()


def text(cell):
    if isinstance(cell, decimal.Decimal):
        return format(cell, "f")
    return None if cell is None else str(cell)


connection = None
for line in sys.stdin:
    request = json.loads(line)
    started, used = time.perf_counter(), cpu()
    answer = {}
    if "load" in request:
        load(request["load"], request["file"])
    elif "open" in request:
        if connection:
            connection.close()
        connection = duckdb.connect(request["open"], read_only=True)
        connection.execute(f"SET threads = {request['threads']}")
    elif "ask" in request:
        runs = []
        for _ in range(request["times"]):
            began = time.perf_counter()
            connection.execute(request["ask"]).fetchone()
            runs.append(time.perf_counter() - began)
        answer["runs"] = runs
    elif "rows" in request:
        rows = connection.execute(request["rows"]).fetchall()
        answer["rows"] = [[text(cell) for cell in row] for row in rows]
    elif "sizes" in request:
        database = sqlite3.connect(f"file:{request['sizes']}?mode=ro", uri=True)
        # Pages are counted: the sum of their sizes (`pgsize`) has 32 bits.
        sizes = "SELECT name, pageno * (SELECT page_size FROM pragma_page_size) FROM dbstat WHERE aggregate = TRUE"
        answer["sizes"] = database.execute(sizes).fetchall()
        # Segments and cubes share a table.
        apart = """SELECT CASE WHEN grain = 0 THEN '(segments)' ELSE '(cubes)' END, sum(length(data))
            FROM "spends#segments" AS s JOIN "spends#columns" AS c ON c.id BETWEEN s.id AND s.id | 63 GROUP BY 1"""
        answer["sizes"] += database.execute(apart).fetchall()
        database.close()
    answer["seconds"], answer["cpu"] = time.perf_counter() - started, cpu() - used
    print(json.dumps(answer), flush=True)
