import type { KnownVisibility } from '../../model/visibility';

/** What a module says of itself in its `meta.json`. What is missing or of another type is empty here. */
export interface ModuleManifest {
  /** `namespace:name`, or `organization_id:name` where the organization has no namespace. */
  readonly moduleId: string;
  /** Absent when it is not said, or not understood. */
  readonly visibility: KnownVisibility | undefined;
  /** Where documentation and code are; empty for nowhere. */
  readonly url: string;
  readonly description: string;
  /** A Markdown file beside the manifest, perhaps with `#heading`, or an address. */
  readonly markdownLink: string | undefined;
  readonly models: readonly ManifestModel[];
  /** What starts the module: a path in the build. Empty when none is named. */
  readonly entrypoint: string;
  /** A script that runs once before the first start: a path in the build. */
  readonly firstRun: string | undefined;
  readonly build: ManifestBuild;
  readonly apps: readonly ManifestApp[];
}

/** A model of resources that the module implements. */
export interface ManifestModel {
  /** Such as `rdk:component:sensor`. */
  readonly api: string;
  /** Such as `acme:weather:station`. */
  readonly model: string;
  readonly shortDescription: string | undefined;
  readonly markdownLink: string | undefined;
}

/** How the module is built. Commands are lines for a shell: never run in a workspace without trust. */
export interface ManifestBuild {
  /** Run once before the first build. */
  readonly setup: string | undefined;
  readonly build: string | undefined;
  /** The archive that the build makes, or the folder, relative to the manifest. */
  readonly path: string | undefined;
  /** Platforms, as written: they may be none. */
  readonly arch: readonly string[];
  readonly darwinDependencies: readonly string[];
}

/** A web application that the module brings along. */
export interface ManifestApp {
  readonly name: string;
  readonly type: string;
  readonly entrypoint: string;
}

/** What `$schema` says in manifests that public tools write. */
export const MANIFEST_SCHEMA = 'https://dl.viam.dev/module.schema.json';

/** How a visibility is written in manifests. */
export const MANIFEST_VISIBILITIES: Readonly<Record<KnownVisibility, string>> = {
  private: 'private',
  public: 'public',
  publicUnlisted: 'public_unlisted',
};

/** How manifests are called. Other programs have files of this name too. */
export const MANIFEST_NAME = 'meta.json';

/** Whether a file may be a manifest, told without reading it as JSON. @param name without its folder */
export function mayBeManifest(name: string, text: string): boolean {
  if (text.includes(MANIFEST_SCHEMA)) return true;
  return name === MANIFEST_NAME && (text.includes('"module_id"') || text.includes('"entrypoint"'));
}
