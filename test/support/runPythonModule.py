"""Runs the tests of the generated module in this folder with a stand-in for `viam-sdk`.

The stand-in makes a class for every name that the module imports. Its messages keep the fields that
they are created with. Like the package since version 0.60, `EasyResource.new` doesn't configure the
object that it creates.
"""

import abc
import collections
import enum
import importlib.abc
import importlib.machinery
import os
import sys
import types
import typing
import unittest


class Kind(abc.ABCMeta):
    """A class with every constant and every nested class that a module uses."""

    def __getattr__(cls, name):
        if name.startswith("_"):
            raise AttributeError(name)
        if name.isupper():
            return name
        made = Kind(name, (Message,), {}) if name[:1].isupper() else staticmethod(lambda *_: None)
        setattr(cls, name, made)
        return getattr(cls, name)


class Message(metaclass=Kind):
    """A message or a resource. Fields that it wasn't created with are 0."""

    def __init__(self, *args, **fields):
        self.__dict__.update(fields)
        if args and isinstance(args[0], str):
            self.name = args[0]

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return (lambda *_: None) if name[:1].isupper() else 0

    def __eq__(self, other):
        return type(self) is type(other) and self._set() == other._set()

    def __hash__(self):
        return hash(str(self._set()))

    def _set(self):
        return {key: value for key, value in self.__dict__.items() if value}


class StandIn(types.ModuleType):
    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        is_error = name.endswith("Error")
        made = type(name, (Exception,), {}) if is_error else Kind(name, (Message,), {})
        setattr(self, name, made)
        return made


class EasyResource(Message):
    @classmethod
    def new(cls, config, dependencies):
        return cls(config.name)


class StreamWithIterator(Message):
    def __init__(self, stream):
        self.stream = stream

    def __aiter__(self):
        return self.stream


class Image(Message):
    def __init__(self, *args):
        *_, self.data, self.mime_type = args


class Timestamp(Message):
    def GetCurrentTime(self):
        self.seconds = 1


CONTROLS = {"BUTTON_START": "ButtonStart", "BUTTON_EAST": "ButtonEast", "ABSOLUTE_X": "AbsoluteX"}
OWN = {
    "google.protobuf.timestamp_pb2": {"Timestamp": Timestamp},
    "viam.components.input": {
        "Control": enum.Enum("Control", CONTROLS),
        "Event": collections.namedtuple("Event", "time event control value"),
    },
    "viam.media.video": {"NamedImage": Image, "ViamImage": Image},
    "viam.resource.easy_resource": {"EasyResource": EasyResource},
    "viam.streams": {"StreamWithIterator": StreamWithIterator},
    "viam.utils": {"dict_to_struct": dict, "struct_to_dict": dict, "ValueTypes": typing.Any},
}


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("viam", "google"):
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec):
        return StandIn(spec.name)

    def exec_module(self, module):
        module.__path__ = []
        vars(module).update(OWN.get(module.__name__, {}))


sys.meta_path.insert(0, Finder())
sys.path.insert(0, os.getcwd())
suite = unittest.defaultTestLoader.discover("test", top_level_dir=".")
result = unittest.TextTestRunner().run(suite)
sys.exit(0 if result.wasSuccessful() and result.testsRun > 0 else 1)
