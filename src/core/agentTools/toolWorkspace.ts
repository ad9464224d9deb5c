import { FleetError } from '../api/errors';
import type { ExportFile } from '../data/export/recordWriter';
import type { BuildReader, ListedEntry } from '../modules/buildFacts';
import type { ManifestDiagnostic } from '../modules/manifest/manifestDiagnostic';
import type { Platform } from '../modules/platforms';
import type { PreparedUpload } from '../modules/upload/uploadPrepared';
import type { SpoolFactory } from '../query/results/rowStore';

/** Paths of a module in the workspace. */
export interface WorkspaceSource {
  /** Folder that contains the manifest. */
  readonly folder: string;
  /** Folder or archive; undefined for the path in the manifest. */
  readonly build: string | undefined;
  readonly platform: Platform | undefined;
}

/** Module in the workspace, whose build was inspected before an upload. */
export interface WorkspaceModule extends Pick<PreparedUpload, 'manifest' | 'buildPath' | 'facts'> {
  /** Platform; undefined if it can't be detected. */
  readonly platform: Platform | undefined;
  readonly diagnostics: readonly ManifestDiagnostic[];
  /** Path of the build from the workspace folder, with `/`. */
  readonly buildName: string;
  /** Files that an upload sends. */
  readonly files: readonly Pick<ListedEntry, 'path' | 'size'>[];
  readonly reader: BuildReader;
  /** Texts that an upload publishes, with their paths in the folder of the manifest. */
  readonly descriptions: readonly { readonly path: string; readonly text: string }[];
  /** Returns the text of a description. */
  readonly readSibling: (path: string) => Promise<string>;
}

/** New file in the workspace, which other programs see only when it is complete. */
export interface WorkspaceFile extends ExportFile {
  /** Path from the workspace folder, with `/`. */
  readonly name: string;
  /** Temporary storage, which is deleted with `discard` and `finish`. */
  readonly spools: SpoolFactory;
  /**
   * Renames the complete file to its final name.
   * @throws FleetError `conflict` if another program has created a file with this name
   */
  readonly finish: () => Promise<void>;
  readonly discard: () => Promise<void>;
}

/**
 * Folders on this computer whose files tools can use. Links that lead out of them are never followed.
 */
export interface ToolWorkspace {
  /**
   * Inspects a module and its build, and sends nothing.
   * @throws FleetError `permission` for a path outside of the workspace, `invalid` for a manifest
   *   that can't be read
   */
  readonly inspectModule: (
    source: WorkspaceSource,
    signal: AbortSignal,
  ) => Promise<WorkspaceModule>;
  /**
   * Creates a file, and never replaces one.
   * @param extension required extension of the path, without the dot
   * @throws FleetError `permission` for a path outside of the workspace, `invalid` for a path that
   *   can't be used
   */
  readonly createFile: (path: string, extension: string) => Promise<WorkspaceFile>;
}

/** Returns the workspace of a session. @throws FleetError `unsupported` if there is none */
export function requireWorkspace(workspace: ToolWorkspace | undefined): ToolWorkspace {
  if (workspace) return workspace;
  throw new FleetError(
    'unsupported',
    'There is no workspace folder. In VS Code, the user must open a folder; elsewhere, start the server with --workspace DIR.',
  );
}

/** Names of files that usually contain secrets, with their folders. */
const SECRET_FILE =
  /(?:^|\/)(?:\.env(?:\.[^/]*)?|\.netrc|\.npmrc|\.pypirc|\.htpasswd|\.git-credentials|id_(?:rsa|dsa|ecdsa|ed25519)[^/]*|viam\.json|[^/]*(?:secret|credential|password|passwd|api[_-]?key|token)[^/]*|[^/]+\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk|ovpn|tfstate))$|(?:^|\/)\.(?:aws|ssh|gnupg|azure|kube|docker)\//i;
/** Source files that are named after what they handle, such as `token.py`. */
const SOURCE_FILE = /\.(?:c|cc|cpp|css|d\.ts|go|h|hpp|html|java|js|md|mjs|py|pyi|rs|so|ts)$/i;

/** Returns true if a file probably contains secrets, by its name. */
export function isSecretFile(path: string): boolean {
  return SECRET_FILE.test(path) && !SOURCE_FILE.test(path);
}
