from setuptools import find_packages, setup

setup(name='model', version='0.2', packages=find_packages())
