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

/**
 * Reads the contents of a manifest from its root object. If a field is repeated, the last one
 * counts.
 */
export function readManifest(root: Node): ModuleManifest {
  const values = toRecord(getNodeValue(root));
  return {
    moduleId: toOptionalString(values.module_id) ?? '',
    visibility: parseVisibility(values.visibility),
    url: toOptionalString(values.url) ?? '',
    description: toOptionalString(values.description) ?? '',
    markdownLink: toNonEmptyString(values.markdown_link),
    models: toList(values.models).map(parseModel),
    entrypoint: toOptionalString(values.entrypoint) ?? '',
    firstRun: toNonEmptyString(values.first_run),
    build: parseBuild(toRecord(values.build)),
    apps: toList(values.applications ?? values.apps).map(parseApp),
  };
}

/** Parses a visibility in a manifest; returns undefined if it's invalid. */
export function parseVisibility(written: unknown): KnownVisibility | undefined {
  const known = Object.keys(MANIFEST_VISIBILITIES) as KnownVisibility[];
  return known.find((visibility) => MANIFEST_VISIBILITIES[visibility] === written);
}

function parseModel(value: unknown): ManifestModel {
  const model = toRecord(value);
  return {
    api: toOptionalString(model.api) ?? '',
    model: toOptionalString(model.model) ?? '',
    shortDescription: toNonEmptyString(model.short_description),
    markdownLink: toNonEmptyString(model.markdown_link),
  };
}

function parseBuild({ setup, build, path, arch, darwin_deps }: Values): ManifestBuild {
  return {
    ...{
      setup: toNonEmptyString(setup),
      build: toNonEmptyString(build),
      path: toNonEmptyString(path),
    },
    arch: toStrings(arch),
    darwinDependencies: toStrings(darwin_deps),
  };
}

function parseApp(value: unknown): ManifestApp {
  const { name, type, entrypoint } = toRecord(value);
  return {
    ...{
      name: toOptionalString(name) ?? '',
      type: toOptionalString(type) ?? '',
      entrypoint: toOptionalString(entrypoint) ?? '',
    },
  };
}

function toRecord(value: unknown): Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Values)
    : {};
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Replaces elements of other types with empty texts, so that list indexes remain correct. */
function toStrings(value: unknown): readonly string[] {
  return toList(value).map((element) => toOptionalString(element) ?? '');
}

function toOptionalString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Treats an empty text as missing, because public tools write one for a missing value. */
function toNonEmptyString(value: unknown): string | undefined {
  return toOptionalString(value)?.trim() === '' ? undefined : toOptionalString(value);
}
