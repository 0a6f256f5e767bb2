"""What the environment decides: variables with the prefix TRACE_. Read once by the command line and by the app."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

from pydantic import Field, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict


class Settings(BaseSettings):
    """TRACE_STORE_URL: the database. TRACE_IMPORT_ROOTS: folders, separated like PATH, below which the app may read
    a file by its path; the command line reads anywhere."""

    model_config = SettingsConfigDict(env_prefix="TRACE_", extra="ignore")

    store_url: str = "sqlite:///traces.db"
    import_roots: Annotated[list[Path], NoDecode] = Field(default_factory=lambda: [Path.cwd()])

    @field_validator("import_roots", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        if isinstance(value, str):
            return [part for part in value.split(os.pathsep) if part.strip()]
        return value

    @field_validator("import_roots", mode="after")
    @classmethod
    def _resolve(cls, value: list[Path]) -> list[Path]:
        # Resolved once, so that a symbolic link inside a root cannot lead out of it (`is_below_a_root`).
        return [path.expanduser().resolve() for path in value]

    def is_below_a_root(self, path: Path) -> bool:
        """Return whether `path`, with every symbolic link followed, lies in one of the import roots."""
        target = path.expanduser().resolve()
        return any(target.is_relative_to(root) for root in self.import_roots)
