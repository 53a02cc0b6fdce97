"""Models of ``transformers`` from folders: the right kind, with all of their weights."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from navproof.core.errors import PerceptionError
from navproof.perception.foundation.requirements import from_files, need, the_folder

__all__ = ["PretrainedModel"]


class PretrainedModel:
    """``model`` (in evaluation mode) and ``tokenizer`` of a folder written by ``save_pretrained``.

    ``kind`` is the class in ``transformers``, "CLIPModel". A folder with another kind of model, or
    with weights missing (which ``transformers`` would draw at random), is refused.
    """

    def __init__(self, folder: str | Path, kind: str, what: str) -> None:
        self.torch: Any = need("torch", f"the {what}")
        library = need("transformers", f"the {what}")
        self.folder = where = the_folder(folder, what, "config.json")
        make = getattr(library, kind)
        here: dict[str, Any] = {"local_files_only": True}
        found = from_files(
            lambda: library.AutoConfig.from_pretrained(where, **here), where, what
        ).model_type
        wanted = make.config_class.model_type
        if found != wanted:
            raise PerceptionError(
                f"{what}: {where} holds a model of kind '{found}', not '{wanted}'"
            )
        self.model: Any
        self.model, report = from_files(
            lambda: make.from_pretrained(where, output_loading_info=True, **here), where, what
        )
        missing = sorted(k for k in report["missing_keys"] if not k.endswith("position_ids"))
        if missing:
            raise PerceptionError(
                f"{what}: {where} lacks {len(missing)} of the model's weights, {missing[0]} first"
            )
        self.tokenizer: Any = from_files(
            lambda: library.AutoTokenizer.from_pretrained(where, **here), where, what
        )
        self.model.eval()
