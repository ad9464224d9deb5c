import type { KnownVisibility } from '../../model/entities';

/** Contents of a module's `meta.json`. Fields that are missing or have the wrong type are empty. */
export interface ModuleManifest {
  /**
   * ID of the module: `namespace:name`, or `organization_id:name` if the organization has no
   * namespace.
   */
  readonly moduleId: string;
  /** Visibility; absent if missing or invalid. */
  readonly visibility: KnownVisibility | undefined;
  /** URL of the documentation and code; empty if there is none. */
  readonly url: string;
  readonly description: string;
  /** Description: a Markdown file next to the manifest, optionally with `#heading`, or a URL. */
  readonly markdownLink: string | undefined;
  readonly models: readonly ManifestModel[];
  /** Path in the build of the file that starts the module; empty if missing. */
  readonly entrypoint: string;
  /** Path in the build of a script that runs once before the first start. */
  readonly firstRun: string | undefined;
  readonly build: ManifestBuild;
  readonly apps: readonly ManifestApp[];
}

/** Resource model that the module implements, as described by the manifest. */
export interface ManifestModel {
  /** API that the model implements, such as `rdk:component:sensor`. */
  readonly api: string;
  /** Name of the model, such as `acme:weather:station`. */
  readonly model: string;
  readonly shortDescription: string | undefined;
  readonly markdownLink: string | undefined;
}

/**
 * Build instructions for the module. The commands are shell command lines, so they must never run
 * in an untrusted workspace.
 */
export interface ManifestBuild {
  /** Command to run once before the first build. */
  readonly setup: string | undefined;
  readonly build: string | undefined;
  /** Path of the archive or folder that the build creates, relative to the manifest. */
  readonly path: string | undefined;
  /** Platforms as written, which can be invalid. */
  readonly arch: readonly string[];
  readonly darwinDependencies: readonly string[];
}

/** Web application that the module provides. */
export interface ManifestApp {
  readonly name: string;
  readonly type: string;
  readonly entrypoint: string;
}

/** Value of `$schema` in manifests that public tools create. */
export const MANIFEST_SCHEMA = 'https://dl.viam.dev/module.schema.json';

/** Visibilities as written in manifests. */
export const MANIFEST_VISIBILITIES: Readonly<Record<KnownVisibility, string>> = {
  private: 'private',
  public: 'public',
  publicUnlisted: 'public_unlisted',
};

/** File name of manifests. Other programs also use files with this name. */
export const MANIFEST_NAME = 'meta.json';

/**
 * Returns true if a file might be a manifest, without parsing it as JSON. @param name file name
 * without its folder
 */
export function mightBeManifest(name: string, text: string): boolean {
  if (text.includes(MANIFEST_SCHEMA)) return true;
  return name === MANIFEST_NAME && (text.includes('"module_id"') || text.includes('"entrypoint"'));
}
