"""A check of our own, beside those of schemathesis."""

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
