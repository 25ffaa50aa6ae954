"""A check of our own, beside those of schemathesis, and how it reads the document."""

import schemathesis

PROBLEM = "application/problem+json"


@schemathesis.check
def documented_problem_code(ctx, response, case):
    """The schema of all problems is the same; which codes a response can have is listed as its examples."""
    if response.headers.get("content-type", [""])[0].split(";")[0] != PROBLEM:
        return
    responses = case.operation.definition.raw["responses"]
    # An undocumented status is the finding of another check.
    content = responses.get(str(response.status_code), {}).get("content", {}).get(PROBLEM)
    code = response.json()["code"]
    if content is not None and code not in content["examples"]:
        raise AssertionError(f"the code {code} is not among {', '.join(content['examples'])}")


@schemathesis.hook
def before_load_schema(ctx, raw_schema):
    """The document describes the text of an event stream, and the tool compares each of its events with that."""
    for methods in raw_schema["paths"].values():
        for operation in methods.values():
            for response in operation["responses"].values():
                response.get("content", {}).get("text/event-stream", {}).pop("schema", None)
