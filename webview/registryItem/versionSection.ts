import type { PageFile, PageItem, PageVersion, VersionFiles } from '../../src/shared/registryItem';
import { button, element, redrawKeepingFocus, textButton } from '../ui/elements';
import { fillPlaceholders } from '../ui/fillPlaceholders';
import type { ItemContext } from './itemContext';
import { versionTable } from './versionTable';

/**
 * Number of versions shown initially. Users usually look for one of the newest versions; older
 * versions are shown on request.
 */
const FIRST_SHOWN = 10;
const SHOWN_MORE = 100;

/** The versions of an item; information about their archives is added later. */
export class VersionSection {
  readonly element = element('div', { class: 'versions' });
  private shown = FIRST_SHOWN;
  private loadedFiles: readonly VersionFiles[] = [];
  private problem: string | undefined;

  constructor(
    private item: PageItem,
    private readonly context: ItemContext,
    before: VersionSection | undefined,
  ) {
    if (before) this.shown = before.shown;
    if (before) this.loadedFiles = before.loadedFiles;
    this.draw();
  }

  /** Shows an updated state of the same item. */
  show(item: PageItem): void {
    this.item = item;
    this.draw();
  }

  /** @param problem reason why no archive information is available */
  setFiles(files: readonly VersionFiles[], problem?: string): void {
    this.loadedFiles = files;
    this.problem = problem;
    this.draw();
  }

  private draw(): void {
    redrawKeepingFocus(
      this.element,
      () => this.element.replaceChildren(...this.parts()),
      () => undefined,
    );
  }

  private parts(): HTMLElement[] {
    const { item, context, shown, problem } = this;
    const { versions: labels } = context.strings;
    if (item.versions.length === 0) {
      const none = element('p', { class: 'faint' }, labels.none);
      const upload = (): void => context.host.send('upload', undefined);
      return item.canUpload
        ? [none, button(labels.upload, upload, { focusKey: 'upload version' })]
        : [none];
    }
    const versions = mergeFiles(item.versions.slice(0, shown), this.loadedFiles);
    const parts: HTMLElement[] = [versionTable({ ...item, versions }, context)];
    if (problem !== undefined) {
      parts.push(element('p', { class: 'note' }, fillPlaceholders(labels.filesFailed, problem)));
    }
    const hidden = item.versions.length - shown;
    if (hidden > 0) parts.push(this.more(hidden));
    return parts;
  }

  private more(hidden: number): HTMLElement {
    const label = fillPlaceholders(
      this.context.strings.versions.more,
      Math.min(hidden, SHOWN_MORE).toLocaleString(this.context.locale),
    );
    return textButton(label, () => this.showMore(), { focusKey: 'more versions', hint: label });
  }

  private showMore(): void {
    const before = this.shown;
    this.shown += SHOWN_MORE;
    this.draw();
    // Move the focus to the first added version.
    const version = this.element.querySelectorAll<HTMLElement>('tbody').item(before);
    version.querySelector<HTMLElement>('[data-focus]')?.focus();
  }
}

/**
 * Merges versions with separately loaded archive information: the sizes of archives, and the
 * archives themselves if a version doesn't list any.
 */
function mergeFiles(
  versions: readonly PageVersion[],
  loaded: readonly VersionFiles[],
): readonly PageVersion[] {
  const byVersion = new Map(loaded.map(({ version, files }) => [version, files]));
  return versions.map((version) => {
    const files = byVersion.get(version.version);
    return files ? { ...version, files: mergedFiles(version.files, files) } : version;
  });
}

function mergedFiles(own: readonly PageFile[], loaded: readonly PageFile[]): readonly PageFile[] {
  if (own.length === 0) return loaded;
  const byPlatform = new Map(loaded.map((file) => [file.platform, file]));
  return own.map((file) => ({ ...byPlatform.get(file.platform), ...file }));
}
