import { getNodeValue, type Node } from 'jsonc-parser';
import type { KnownVisibility } from '../../model/visibility';
import {
  MANIFEST_VISIBILITIES,
  type ManifestApp,
  type ManifestBuild,
  type ManifestModel,
  type ModuleManifest,
} from './moduleManifest';

type Values = Readonly<Record<string, unknown>>;

/** Reads an object as a manifest. Of a repeated field, the last one counts. */
export function readManifest(root: Node): ModuleManifest {
  const values = recordOf(getNodeValue(root));
  return {
    moduleId: textOf(values.module_id) ?? '',
    visibility: visibilityOf(values.visibility),
    url: textOf(values.url) ?? '',
    description: textOf(values.description) ?? '',
    markdownLink: statedText(values.markdown_link),
    models: listOf(values.models).map(modelOf),
    entrypoint: textOf(values.entrypoint) ?? '',
    firstRun: statedText(values.first_run),
    build: buildOf(recordOf(values.build)),
    apps: listOf(values.applications ?? values.apps).map(appOf),
  };
}

/** Parses a visibility of a manifest; undefined if it's invalid. */
export function visibilityOf(written: unknown): KnownVisibility | undefined {
  const known = Object.keys(MANIFEST_VISIBILITIES) as KnownVisibility[];
  return known.find((visibility) => MANIFEST_VISIBILITIES[visibility] === written);
}

function modelOf(value: unknown): ManifestModel {
  const model = recordOf(value);
  return {
    api: textOf(model.api) ?? '',
    model: textOf(model.model) ?? '',
    shortDescription: statedText(model.short_description),
    markdownLink: statedText(model.markdown_link),
  };
}

function buildOf({ setup, build, path, arch, darwin_deps }: Values): ManifestBuild {
  return {
    ...{ setup: statedText(setup), build: statedText(build), path: statedText(path) },
    arch: textsOf(arch),
    darwinDependencies: textsOf(darwin_deps),
  };
}

function appOf(value: unknown): ManifestApp {
  const { name, type, entrypoint } = recordOf(value);
  return {
    ...{ name: textOf(name) ?? '', type: textOf(type) ?? '', entrypoint: textOf(entrypoint) ?? '' },
  };
}

function recordOf(value: unknown): Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Values)
    : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Replaces elements of other types with an empty text, so that list indexes stay correct. */
function textsOf(value: unknown): readonly string[] {
  return listOf(value).map((element) => textOf(element) ?? '');
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Public tools write an empty text for a missing value. */
function statedText(value: unknown): string | undefined {
  return textOf(value)?.trim() === '' ? undefined : textOf(value);
}
