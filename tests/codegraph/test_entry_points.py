"""Entry points: main programs, commands, routes and handlers of several frameworks."""

from __future__ import annotations

import pytest

from holdfast.codegraph.entry_points import entry_points
from holdfast.codegraph.languages.language_registry import language, language_name


def found(path: str, source: str) -> list[tuple[str, str, str]]:
    name = language_name(path)
    assert name is not None
    record = language(name).extract(path, source.encode(), "h")
    return [(point.kind, point.symbol, point.name) for point in entry_points(record, source.encode())]


def test_a_decorator_is_a_command_only_if_it_comes_from_a_package_for_commands() -> None:
    commands = "from {} import group\n\n@group()\ndef cli(): ...\n"
    assert found("a.py", commands.format("click")) == [("command", "cli", "cli")]
    assert found("a.py", commands.format("rich.console")) == []


def test_python_commands_routes_handlers_and_main() -> None:
    source = """\
import click

@app.route("/users/<id>", methods=["POST"])
def users(id): ...

@router.get("/items")
async def items(): ...

@click.group()
def cli(): ...

@cli.command("go")
@click.option("--x")
def go(x): ...

@shared_task
def clean(): ...

def lambda_handler(event, context): ...
def handler(event, context): ...
def handler_of_something(event): ...

class Cache:
    def get(self, key): ...

cache.get("/not/a/route")

if __name__ == "__main__":
    cli()
"""
    assert found("app/web.py", source) == [
        ("route", "users", "/users/<id>"),
        ("route", "items", "GET /items"),
        ("command", "cli", "cli"),
        ("command", "go", "go"),
        ("handler", "clean", "shared_task"),
        ("handler", "lambda_handler", "lambda_handler"),
        ("handler", "handler", "handler"),
        ("main", "", "web.py"),
    ]


def test_django_urls() -> None:
    assert found("shop/urls.py", 'urlpatterns = [path("cart/", views.cart)]\n') == [("route", "", "cart/")]
    assert found("shop/paths.py", 'places = [path("cart/", views.cart)]\n') == []


def test_typescript_routes_controllers_commands_and_events() -> None:
    source = """\
const app = new Hono();
app.get("/users/:id", (c) => c.json(load(c)));
function routes() { router.post('/x', createUser); }
@Controller("cats")
class Cats { @Get(":id") find(id: string) { return load(id) } }
program.command("build").action(build);
process.on("exit", () => stop());
const value = cache.get("/not/a/route");
const map = app.get(settings);
"""
    assert found("src/app.ts", source) == [
        ("route", "", "GET /users/:id"),
        ("route", "routes", "POST /x"),
        ("route", "Cats.find", "GET :id"),
        ("command", "", "build"),
        ("handler", "", "exit"),
    ]


def test_route_files_and_scripts() -> None:
    assert found("app/api/users/route.ts", "export async function GET(req: Request) {}\n") == [("route", "GET", "GET")]
    assert found("bin/tool.js", "#!/usr/bin/env node\nrun()\n") == [("main", "", "tool.js")]
    assert found("pkg/__main__.py", "run()\n") == [("main", "", "__main__.py")]


@pytest.mark.parametrize("path", ["tests/test_app.py", "tests/conftest.py", "test_app.py"])
def test_tests_have_none(path: str) -> None:
    assert found(path, '@app.route("/x")\ndef x(): ...\n') == []


def test_any_text_is_accepted() -> None:
    assert found("a.py", "@app.route(\ndef") == []
    assert found("a.py", "") == []
    assert found("a.ts", "app.get(`\n") == []
