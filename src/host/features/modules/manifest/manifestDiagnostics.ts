import * as vscode from 'vscode';
import type { ArchiveFacts, Examination } from '../../../../archives/examineModule';
import type { ManifestDiagnostic } from '../../../../core/modules/manifest/manifestDiagnostic';
import {
  mightBeManifest,
  type ModuleManifest,
} from '../../../../core/modules/manifest/moduleManifest';
import type { ParsedManifest } from '../../../../core/modules/manifest/parseManifest';
import type { RegistryItem } from '../../../../core/model/registryItem';
import type { PublishedModules } from './publishedModules';
import { toRange } from '../../../platform/documents/toRange';

interface Published {
  readonly moduleId: string;
  readonly item: RegistryItem | undefined;
}

interface Known extends Examination {
  /** File paths in the manifest at the time of the inspection. */
  readonly key: string;
}

/**
 * Manifest problems: in the current text, in the module's files as of the last inspection, and
 * compared with the module in the registry.
 */
export class ManifestDiagnostics {
  private readonly known = new WeakMap<vscode.TextDocument, Known>();
  private readonly inspections = new WeakMap<vscode.TextDocument, AbortController>();
  private archives: ArchiveFacts | undefined;

  /** Modules in the registry by document, with the IDs in the manifests at that time. */
  private readonly published = new WeakMap<vscode.TextDocument, Published>();

  constructor(
    private readonly reader: ManifestReader,
    private readonly modules: Pick<PublishedModules, 'read'>,
  ) {}

  /** Returns the problems in a manifest; undefined for other documents. */
  async of(document: vscode.TextDocument): Promise<readonly ManifestDiagnostic[] | undefined> {
    const parsed = await this.reader.read(document);
    if (!parsed) return undefined;
    const known = this.known.get(document);
    const isKnown = parsed.manifest !== undefined && known?.key === toCacheKey(parsed.manifest);
    const ofFiles = isKnown ? [...known.named, ...(known.contents ?? [])] : [];
    // VS Code already marks syntax errors in JSON files as the user types.
    const isMarkedByEditor = document.languageId === 'json';
    const ofText = parsed.problems.filter(({ range, code }) => {
      return !isMarkedByEditor || range === undefined || code === 'tooLarge' || code === 'tooDeep';
    });
    return [...ofText, ...(await this.ofRegistry(document, parsed.manifest)), ...ofFiles];
  }

  /**
   * Reads the module from the registry, unless it is known.
   * @returns true if the problems can have changed
   */
  async checkRegistry(document: vscode.TextDocument): Promise<boolean> {
    const moduleId = (await this.reader.read(document))?.manifest?.moduleId ?? '';
    const { isModuleId } = await import('../../../../core/modules/moduleNames');
    const item = isModuleId(moduleId) ? await this.modules.read(moduleId) : undefined;
    const isChanged = this.published.get(document)?.item !== item;
    this.published.set(document, { moduleId, item });
    return isChanged;
  }

  private async ofRegistry(
    document: vscode.TextDocument,
    manifest: ModuleManifest | undefined,
  ): Promise<readonly ManifestDiagnostic[]> {
    const { moduleId, item } = this.published.get(document) ?? {};
    if (!manifest || !item || manifest.moduleId !== moduleId) return [];
    const { checkPublishedModels } =
      await import('../../../../core/modules/manifest/checkPublished');
    return checkPublishedModels(manifest, item);
  }

  /**
   * Inspects the files that a manifest references and, if `isThorough`, all files that would be
   * uploaded. Cancels any earlier inspection.
   * @returns true if the inspection was completed
   */
  async checkFiles(document: vscode.TextDocument, isThorough: boolean): Promise<boolean> {
    const manifest = (await this.reader.read(document))?.manifest;
    const folder = getManifestFolder(document);
    this.inspections.get(document)?.abort();
    if (!manifest || folder === undefined) return false;
    const inspection = new AbortController();
    this.inspections.set(document, inspection);
    const { signal } = inspection;
    try {
      const { examineModule } = await import('../../../../archives/examineModule');
      const { ArchiveFacts } = await import('../../../../archives/examineModule');
      const archives = (this.archives ??= new ArchiveFacts());
      const found = await examineModule(folder, manifest, { isThorough, signal, archives });
      const contents = found.contents ?? this.known.get(document)?.contents;
      this.known.set(document, { key: toCacheKey(manifest), named: found.named, contents });
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      throw error;
    }
  }

  /** Clears a closed document's data. */
  clear(document: vscode.TextDocument): void {
    this.inspections.get(document)?.abort();
    this.known.delete(document);
    this.published.delete(document);
  }
}

/** Returns a key for all manifest fields that affect the problems in files. */
function toCacheKey({ entrypoint, firstRun, build, markdownLink, models }: ModuleManifest): string {
  const links = models.map((model) => model.markdownLink);
  return JSON.stringify([entrypoint, firstRun, build, markdownLink, links]);
}

const SOURCE = 'Fleetwright';

/**
 * Returns the range of a problem. Problems with the whole build have the range of the module ID.
 */
export function getDiagnosticRange(
  document: vscode.TextDocument,
  parsed: ParsedManifest,
  { code, path, range }: ManifestDiagnostic,
): vscode.Range {
  const isWhole = path.length === 0;
  const isName = isWhole || code === 'unknownField' || code === 'modelRemoved';
  return toRange(document, range ?? parsed.getRange(isWhole ? ['module_id'] : path, isName));
}

/** Converts a manifest problem to a VS Code diagnostic. */
export function toDiagnostic(
  document: vscode.TextDocument,
  parsed: ParsedManifest,
  { problem, message }: { readonly problem: ManifestDiagnostic; readonly message: string },
): vscode.Diagnostic {
  const { Error, Warning } = vscode.DiagnosticSeverity;
  const severity = problem.severity === 'error' ? Error : Warning;
  const range = getDiagnosticRange(document, parsed, problem);
  const diagnostic = new vscode.Diagnostic(range, message, severity);
  diagnostic.source = SOURCE;
  diagnostic.code = problem.code;
  return diagnostic;
}

/**
 * Selector for documents that can contain a manifest: local files, remote files, and unsaved
 * documents.
 */
export const MANIFEST_DOCUMENTS = [{ language: 'json' }, { language: 'jsonc' }];

interface Read {
  readonly version: number;
  readonly parsed: Promise<ParsedManifest | undefined>;
}

/** Finds and parses the manifests among JSON documents. Parses each document version only once. */
export class ManifestReader {
  private readonly known = new WeakMap<vscode.TextDocument, Read>();

  /** Returns the parsed manifest; undefined for documents that aren't manifests. */
  read(document: vscode.TextDocument): Promise<ParsedManifest | undefined> {
    const { version } = document;
    const known = this.known.get(document);
    if (known?.version === version) return known.parsed;
    const parsed = this.parse(document);
    this.known.set(document, { version, parsed });
    return parsed;
  }

  private async parse(document: vscode.TextDocument): Promise<ParsedManifest | undefined> {
    if (!vscode.languages.match(MANIFEST_DOCUMENTS, document)) return undefined;
    // Skip read-only documents, such as a file's earlier version in a diff editor.
    if (vscode.workspace.fs.isWritableFileSystem(document.uri.scheme) === false) return undefined;
    const name = document.uri.path.split('/').at(-1) ?? '';
    const text = document.getText();
    if (!mightBeManifest(name, text)) return undefined;
    const [{ parseManifest }, { isManifest }] = await Promise.all([
      import('../../../../core/modules/manifest/parseManifest'),
      import('../../../../core/modules/manifest/manifestLanguage'),
    ]);
    const parsed = parseManifest(text);
    return isManifest(name, parsed) ? parsed : undefined;
  }
}

/**
 * Returns a manifest's folder on this computer; undefined if the manifest is elsewhere or unsaved.
 */
function getManifestFolder({ uri }: vscode.TextDocument): string | undefined {
  return uri.scheme === 'file' ? vscode.Uri.joinPath(uri, '..').fsPath : undefined;
}
