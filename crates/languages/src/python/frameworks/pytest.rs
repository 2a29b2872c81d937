//! pytest: what the parameters of tests hold.

use strata_lang::Framework;
use strata_lang::framework::{Fingerprint, Fixtures, Handed, Members, Registration};

/// The packages have each a decorator of the name.
const FIXTURE: Members = Members {
    on: &["", "fixtures", "plugin"],
    names: &["fixture", "yield_fixture"],
};

pub(super) static PYTEST: Framework = Framework {
    name: "pytest",
    packages: &["pypi:pytest", "pypi:_pytest", "pypi:pytest_asyncio"],
    registrations: &[
        Registration {
            by: FIXTURE,
            what: Handed::Decorated,
        },
        Registration {
            by: Members {
                on: &[""],
                names: &["hookimpl"],
            },
            what: Handed::Decorated,
        },
    ],
    fingerprints: &[
        Fingerprint {
            decorator: "pytest.fixture",
            tags: &["fixture"],
            verb: None,
        },
        Fingerprint {
            decorator: "pytest_asyncio.fixture",
            tags: &["fixture"],
            verb: None,
        },
        Fingerprint {
            decorator: "pytest.mark.parametrize",
            tags: &["parametrized"],
            verb: None,
        },
    ],
    fixtures: Some(&Fixtures {
        decorator: FIXTURE,
        name_argument: "name",
        shared_file: "conftest.py",
        test_prefix: "test",
        builtin: &[
            ("cache", "pypi:pytest.Cache()"),
            ("capfd", "pypi:pytest.CaptureFixture()"),
            ("capfdbinary", "pypi:pytest.CaptureFixture()"),
            ("caplog", "pypi:pytest.LogCaptureFixture()"),
            ("capsys", "pypi:pytest.CaptureFixture()"),
            ("capsysbinary", "pypi:pytest.CaptureFixture()"),
            ("monkeypatch", "pypi:pytest.MonkeyPatch()"),
            ("pytestconfig", "pypi:pytest.Config()"),
            ("pytester", "pypi:pytest.Pytester()"),
            ("recwarn", "pypi:pytest.WarningsRecorder()"),
            ("request", "pypi:pytest.FixtureRequest()"),
            ("testdir", "pypi:pytest.Testdir()"),
            ("tmp_path", "system:pathlib.Path()"),
            ("tmp_path_factory", "pypi:pytest.TempPathFactory()"),
        ],
        using: Members {
            on: &["mark"],
            names: &["usefixtures"],
        },
        by_name: Members {
            on: &["FixtureRequest"],
            names: &["getfixturevalue"],
        },
        given: Members {
            on: &["mark"],
            names: &["parametrize"],
        },
        indirect_argument: "indirect",
    }),
    ..Framework::EMPTY
};
