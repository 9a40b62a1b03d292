# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# An OpenAPI document as the scripts beside this one read it.
import yaml


class Strict(yaml.SafeLoader):
    """The second of two equal keys would silently replace the first."""

    def construct_mapping(self, node, deep=False):
        keys = [self.construct_object(key, deep) for key, _ in node.value]
        twice = {key for key in keys if keys.count(key) > 1}
        if twice:
            raise yaml.constructor.ConstructorError(None, None, f"twice: {', '.join(map(str, twice))}", node.start_mark)
        return super().construct_mapping(node, deep)


class Document:
    def __init__(self, path):
        self.whole = yaml.load(open(path), Strict)

    def __getitem__(self, key):
        return self.whole[key]

    def resolve(self, node):
        """What a reference stands for; anything else itself."""
        while "$ref" in node:
            at = self.whole
            for step in node["$ref"].lstrip("#/").split("/"):
                at = at[step]
            node = at
        return node
