import * as l10n from '@vscode/l10n';
import { element, toolButton } from '../../ui/elements';
import type { DataContext } from '../dataContext';
import { type DroppedEntry, listDroppedFiles } from './droppedTree';

/**
 * MIME types in which VS Code provides items dragged from its explorer; the second type is the
 * standard one.
 */
const URI_LISTS = ['application/vnd.code.uri-list', 'text/uri-list'] as const;

/**
 * Accepts files that users drop into the panel, and provides a button for users who don't use drag
 * and drop.
 */
export class DropTarget {
  /** Button for the toolbar. */
  readonly button: HTMLButtonElement;
  private readonly overlay: HTMLElement;

  constructor(
    private readonly area: HTMLElement,
    private readonly context: Pick<DataContext, 'host' | 'canWrite' | 'readOnly' | 'dropped'>,
  ) {
    const denied =
      context.readOnly ?? l10n.t("This API key doesn't have permission to add data here.");
    this.button = toolButton(l10n.t('Upload…'), () => context.host.send('chooseFiles', undefined), {
      focusKey: 'upload',
      hint: context.canWrite
        ? l10n.t(
            'Upload files or folders. You can also drop them into this panel. Hold Shift while you drag from the VS Code Explorer.',
          )
        : denied,
    });
    this.button.disabled = !context.canWrite;
    this.overlay = element(
      'div',
      { class: 'drop-overlay', hidden: '' },
      element(
        'span',
        { class: 'drop-text' },
        context.canWrite ? l10n.t('Drop files to upload them') : denied,
      ),
    );
    // Append the overlay to the body, because other code redraws the area's contents.
    document.body.append(this.overlay);
    area.addEventListener('dragenter', (event) => this.over(event));
    area.addEventListener('dragover', (event) => this.over(event));
    area.addEventListener('dragleave', (event) => this.left(event));
    area.addEventListener('drop', (event) => void this.drop(event));
  }

  private over(event: DragEvent): void {
    const { dataTransfer } = event;
    if (!dataTransfer || !bringsFiles(dataTransfer)) return;
    event.preventDefault();
    dataTransfer.dropEffect = this.context.canWrite ? 'copy' : 'none';
    this.overlay.hidden = false;
  }

  /**
   * Hides the overlay when the pointer leaves the area; this event also occurs when the pointer
   * enters a descendant.
   */
  private left({ relatedTarget }: DragEvent): void {
    const isInside = relatedTarget instanceof Node && this.area.contains(relatedTarget);
    if (!isInside) this.overlay.hidden = true;
  }

  private async drop(event: DragEvent): Promise<void> {
    const { dataTransfer } = event;
    if (!dataTransfer || !bringsFiles(dataTransfer)) return;
    event.preventDefault();
    this.overlay.hidden = true;
    const { host, canWrite } = this.context;
    if (!canWrite) return;
    // Read the data immediately, because the browser clears it after the event.
    const uris = readUris(dataTransfer);
    const entries = listDroppedEntries(dataTransfer);
    if (uris.length > 0) host.send('dropUris', { uris });
    else if (entries.length > 0) await this.take(entries);
  }

  private async take(entries: readonly DroppedEntry[]): Promise<void> {
    const { files: found, hidden, unreadable, isTooMany } = await listDroppedFiles(entries);
    const files = isTooMany ? [] : found;
    const { host, dropped } = this.context;
    const drop = dropped.add(files.map(({ file }) => file));
    host.send('dropFiles', {
      drop,
      hidden,
      unreadable,
      tooMany: isTooMany,
      files: files.map(({ path, file }) => ({
        path,
        sizeBytes: file.size,
        modifiedAt: file.lastModified,
      })),
    });
  }
}

function bringsFiles({ types }: DataTransfer): boolean {
  return types.includes('Files') || URI_LISTS.some((type) => types.includes(type));
}

/**
 * Ignores the URI list that accompanies files from the operating system, because it contains less
 * information than the files.
 */
function readUris(transfer: DataTransfer): readonly string[] {
  const [ofCode, ofAll] = URI_LISTS;
  const isFromSystem = transfer.types.includes('Files') && !transfer.types.includes(ofCode);
  if (isFromSystem) return [];
  const text = transfer.getData(ofCode) || transfer.getData(ofAll);
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}

/**
 * Returns the dropped entries. Must be called during the drop event, because browsers discard the
 * entries afterward.
 */
function listDroppedEntries({ items }: DataTransfer): readonly DroppedEntry[] {
  return Array.from(items)
    .filter(({ kind }) => kind === 'file')
    .map((item) => item.webkitGetAsEntry() ?? item.getAsFile())
    .filter((entry) => entry !== null);
}
