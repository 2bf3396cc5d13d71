"""Updates give the same graph as a new index, in every language."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.codegraph.test_index import Index

# For each language some paths, and some texts that each of them may have.
PROJECTS = {
    "python": (
        ["a.py", "b.py", "pkg/__init__.py", "pkg/a.py", "pkg/c.py", "pkg/sub/__init__.py", "pkg/sub/d.py", "lib/b.py"],
        [
            "",
            "def f(): return K()\nclass K:\n    def m(self): return self\n    x: 'K'\n",
            "from a import *\nclass K(Base):\n    def m(self): super().m()\n",
            "import a, b\nfrom a import f, K as C\ndef f(): return C().m()\nC().x.m()\n",
            "from . import a\nfrom .c import f\nf().m()\na.K().m()\n",
            "from pkg import c, a\nfrom pkg.sub import d\nfrom pkg.sub.d import K\nd.f().m()\nx = c.f()\nx.m()\n",
            "from .. import a\nfrom ..c import K\nclass L(K): ...\nL().m()\n",
            "from b import f\nimport pkg.sub.d\npkg.sub.d.f()\ndef g(k: 'pkg.sub.d.K'): k.m()\n",
            "from .a import K\nfrom .sub import *\nBase = K\ndef f() -> Base: ...\n",
        ],
    ),
    "typescript": (
        ["a.ts", "b.tsx", "index.ts", "lib/index.ts", "lib/c.ts", "lib/d.js", "types.d.ts", "lib/deep/e.ts"],
        [
            "",
            "export class K { m(): K { return this } x = new K() }\nexport const f = () => new K()\n",
            "export * from './a'\nexport { K as L } from './lib'\n",
            "import { f, K } from './a'\nimport * as lib from './lib'\nf().m()\nlib.f().x.m()\nexport default K\n",
            "import { L } from '.'\nimport D from '../b'\nexport class K extends L { m() { super.m() } }\nD.m()\n",
            "const c = require('./c')\nmodule.exports = { f: () => c.f(), K: c.K }\n",
            "declare global { interface Window { k: K } }\ndeclare class G { m(): void }\n",
            "export function f(k: G) { k.m() }\n",
            "export * from './c'\nexport * from './deep/e'\nexport * from '../a'\n",
            "import { f, api, K } from '..'\nimport { g } from './deep/e.js'\nf().m(); api.load(); g(); new K().m()\n",
            "namespace N { export class K { m() { return new K() } } }\nexport const f = () => N.K\nexport = N\n",
            "export class K<T extends K> { constructor(private k: T) {} m() { return this.k } x = this.m() }\n",
            "export const g = () => { const h = (k) => k; return h(1); };\n[1].map((n) => g());\n",
            "export const api = { load: () => f(), K: class { m() {} } };\nfunction f() { return api.load(); }\n",
            "export interface T { m(): T }\nexport const use = (t: T) => t.m().m();\nunknown(() => use(null));\n",
        ],
    ),
    "go": (
        ["a.go", "b.go", "go.mod", "lib/c.go", "lib/d.go", "lib/c_test.go", "lib/sub/e.go"],
        [
            "",
            "module m\n",
            "package lib\ntype K struct{ Base }\nfunc (k *K) M() *K { return k.N() }\n",
            "package lib\ntype Base struct{}\nfunc (b Base) N() *K { return F() }\n",
            "package lib\nfunc F() *K { return &K{} }\nvar X = F().M()\n",
            'package main\nimport "m/lib"\nfunc main() { lib.F().M().N(); lib.X.M(); local() }\n',
            'package main\nimport . "m/lib"\nimport s "m/lib/sub"\nfunc local() { F().M(); s.F(K{}) }\n',
        ],
    ),
    "rust": (
        [
            "Cargo.toml",
            "src/lib.rs",
            "src/main.rs",
            "src/a.rs",
            "src/a/b.rs",
            "src/c/mod.rs",
            "tests/t.rs",
            "tests/u.rs",
        ],
        [
            "",
            '[package]\nname = "m"\n',
            "pub mod a;\nmod c;\npub use a::K;\npub fn f() -> K { K::new() }\n",
            "mod b;\npub use self::b::*;\npub trait T { fn m(&self) { self.n(); } fn n(&self); }\n",
            "pub struct K;\nimpl K { pub fn new() -> Self { K } }\nimpl super::T for K { fn n(&self) {} }\n",
            "use crate::K;\nimpl K { pub fn x(&self) { crate::f().m(); } }\n",
            "mod u;\nuse m::{f, K};\nfn t(k: K) { f().m(); k.x(); u::g(); }\n",
            "pub fn g() { crate::t(m::K::new()) }\n",
        ],
    ),
    "java": (
        ["a/K.java", "a/L.java", "a/b/K.java", "src/a/M.java", "test/a/KTest.java"],
        [
            "",
            "package a;\npublic class K extends L { K m() { n(); return this; } static class In {} }\n",
            "package a;\nclass L { void n() {} M other; }\n",
            "package a;\nclass M { K.In in; void p(L l) { l.n(); l.other.p(l); } }\n",
            "package a.b;\nimport a.*;\npublic class K extends a.K { void q(M m) { m(); m.p(this); } }\n",
            "package a;\nimport a.b.K;\nimport static a.K.In;\nclass KTest { void t() { new K().m(); } L l; }\n",
        ],
    ),
}


# Edits that only move code.
PREFIXES = st.sampled_from(["", "", "// A comment.\n", "\n\n", "// One.\n\n// Two.\n"])


@pytest.mark.parametrize("language", PROJECTS)
@given(data=st.data())
@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_updates_equal_a_new_index(tmp_path_factory, language, data):
    """Adds, changes, moves, deletes and so renames code; after each round the graph is that of a new index."""
    paths, choices = PROJECTS[language]
    comment = "#" if language == "python" else "//"
    texts = st.tuples(PREFIXES, st.sampled_from(choices)).map(lambda parts: parts[0].replace("//", comment) + parts[1])
    edits = st.lists(st.tuples(st.sampled_from(paths), st.one_of(texts, texts, st.none())), min_size=1, max_size=4)
    folder = tmp_path_factory.mktemp("edits")
    (folder / "project").mkdir()
    updated = Index(folder / "project", folder / "updated.db")
    for path in paths:
        updated.put(path, data.draw(texts, path))
    updated.run(rehash=True)
    for number, changes in enumerate(data.draw(st.lists(edits, min_size=1, max_size=4), "rounds")):
        for path, text in changes:
            if text is not None:
                updated.put(path, text)
            elif (updated.root / path).exists():
                (updated.root / path).unlink()
        updated.run(rehash=True)
        new = Index(updated.root, folder / f"new{number}.db")
        new.run()
        assert updated.contents() == new.contents()
        new.store.close()
    updated.store.close()
