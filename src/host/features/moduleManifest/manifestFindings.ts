import type * as vscode from 'vscode';
import type { ArchiveFacts } from '../../../archives/archiveFacts';
import type { Examination } from '../../../archives/examineModule';
import type { ManifestFinding } from '../../../core/modules/manifest/manifestFinding';
import type { ModuleManifest } from '../../../core/modules/manifest/moduleManifest';
import { getManifestFolder, type ManifestReader } from './manifestReader';

interface Known extends Examination {
  /** File paths in the manifest at the time of the inspection. */
  readonly key: string;
}

/**
 * Problems of manifests: those in the current text, and those in the module's files at the last
 * inspection.
 */
export class ManifestFindings {
  private readonly known = new WeakMap<vscode.TextDocument, Known>();
  private readonly inspections = new WeakMap<vscode.TextDocument, AbortController>();
  private archives: ArchiveFacts | undefined;

  constructor(private readonly reader: ManifestReader) {}

  /** Returns the problems of a manifest; undefined for other documents. */
  async of(document: vscode.TextDocument): Promise<readonly ManifestFinding[] | undefined> {
    const parsed = await this.reader.read(document);
    if (!parsed) return undefined;
    const known = this.known.get(document);
    const isKnown = parsed.manifest !== undefined && known?.key === toCacheKey(parsed.manifest);
    const ofFiles = isKnown ? [...known.named, ...(known.contents ?? [])] : [];
    // VS Code already marks syntax errors in JSON files as the user types.
    const isMarkedByEditor = document.languageId === 'json';
    const ofText = parsed.problems.filter(({ range: place, code }) => {
      return !isMarkedByEditor || place === undefined || code === 'tooLarge' || code === 'tooDeep';
    });
    return [...ofText, ...ofFiles];
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
      const { examineModule } = await import('../../../archives/examineModule');
      const { ArchiveFacts } = await import('../../../archives/archiveFacts');
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

  /** Clears the data of a closed document. */
  forget(document: vscode.TextDocument): void {
    this.inspections.get(document)?.abort();
    this.known.delete(document);
  }
}

/** Returns a key for all manifest fields that affect the problems of files. */
function toCacheKey({ entrypoint, firstRun, build, markdownLink, models }: ModuleManifest): string {
  const links = models.map((model) => model.markdownLink);
  return JSON.stringify([entrypoint, firstRun, build, markdownLink, links]);
}
