"""Makes a site of pages that are written for a code host.

A file of the project outside of docs/ that a page links to, such as CONTRIBUTING.md, becomes part of the site below project/. A link
to a directory becomes text. A link to nothing stays, and mkdocs reports it.
"""

import re
from pathlib import Path
from posixpath import dirname, relpath

from mkdocs.structure.files import File

DOCS = Path(__file__).resolve().parent.parent / "docs"
ROOT = DOCS.parent

# A fenced block and code in a line are found first, so that links in them stay.
LINK = re.compile(r"^ *```.*?^ *```|\[((?:[^\[\]`]|`[^`]*`)*)\]\(([^)\s#]+)(#[^)\s]*)?\)|`[^`\n]+`", re.M | re.S)
TABLE_CODE = re.compile(r"`[^`\n]+`")


def target(source, link):
    """The file or directory of the project that a link of a page means; None for an address."""
    return None if re.match(r"\w+:", link) else (source.parent / link).resolve()


def uri(path):
    """Where a file of the project is on the site."""
    return path.relative_to(DOCS).as_posix() if DOCS in path.parents else "project/" + path.relative_to(ROOT).as_posix()


def on_files(files, config):
    waiting = [Path(file.abs_src_path) for file in files.documentation_pages()]
    while waiting:
        page = waiting.pop()
        for match in LINK.finditer(page.read_text("utf-8")):
            path = match[2] and target(page, match[2])
            if path and path.is_file() and ROOT in path.parents and not files.get_file_from_path(uri(path)):
                files.append(File.generated(config, uri(path), abs_src_path=str(path)))
                if path.suffix == ".md":
                    waiting.append(path)
    return files


def on_page_markdown(markdown, page, **_):
    source = Path(page.file.abs_src_path)

    def on_site(match):
        path = match[2] and target(source, match[2])
        if not path or not path.exists():
            return match[0]
        if path.is_dir():
            return match[1]
        return f"[{match[1]}]({relpath(uri(path), dirname(page.file.src_uri) or '.')}{match[3] or ''})"

    return "\n".join(python_markdown(LINK.sub(on_site, markdown).split("\n")))


def python_markdown(lines):
    """Python-Markdown wants four spaces before what belongs to an item of a list, and no backslash before | in code of a table."""
    fence, marker = False, 0
    for line in lines:
        fence ^= line.startswith("```")
        item = not fence and re.match(r"(?:[-*]|\d+\.) +", line)
        if item:
            marker = len(item[0])
        elif line.startswith(" " * marker) and line:
            line = " " * (4 - marker if marker else 0) + line
        elif line:
            marker = 0
        yield TABLE_CODE.sub(lambda code: code[0].replace("\\|", "|"), line) if line.startswith("|") else line
