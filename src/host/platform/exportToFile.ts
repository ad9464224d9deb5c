import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { canceled, FleetError, isCanceled, toFleetError } from '../../core/api/errors';
import type { ExportFile } from '../../core/data/export/exportFile';
import { fileWords } from './fileWords';
import type { FileFormat } from './fileFormat';
import { PartialFile } from './partialFile';
import { following } from './progress';
import { askOne } from './prompts';
import { fileNameOf } from './documentUris';
import { offerToOpen } from './offerToOpen';

/** What is written to a file of a person's choice. */
export interface FileExport<Format extends string> {
  readonly title: string;
  /** What is exported, over the choice of the form. */
  readonly placeholder: string;
  readonly formats: readonly FileFormat<Format>[];
  /** Without its ending. */
  readonly name: string;
  /** @returns how many rows the file has. */
  readonly write: (
    format: Format,
    file: ExportFile,
    signal: AbortSignal,
    report: (message: string) => void,
  ) => Promise<number>;
  readonly words: {
    /** When a place is chosen that is no disk of this machine. */
    readonly elsewhere: string;
    readonly failed: (file: string, reason: string) => string;
    readonly done: (file: string, rows: number) => string;
  };
}

/** How often a person hears how far it is. */
const TELL_EVERY_MS = 200;

/** Asks for a form and a file, writes it, and offers to open it. @throws FleetError */
export async function exportToFile<Format extends string>(
  exported: FileExport<Format>,
): Promise<void> {
  const { title, placeholder, words } = exported;
  const chosen = await askOne(exported.formats, { title, placeholder });
  const target = await askTarget(exported, chosen);
  if (!target) return;
  const rows = await following(
    vscode.l10n.t('Exporting to {0}', fileNameOf(target)),
    (signal, report) => writeTo(target, exported, chosen.format, signal, seldom(report)),
  );
  await offerToOpen(target, words.done(fileNameOf(target), rows));
}

async function askTarget<Format extends string>(
  { title, name, words }: FileExport<Format>,
  { label, format }: FileFormat<Format>,
): Promise<vscode.Uri | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
  const target = await vscode.window.showSaveDialog({
    title,
    filters: { [label]: [format] },
    defaultUri: vscode.Uri.joinPath(folder, `${name}.${format}`),
  });
  if (!target || target.scheme === 'file') return target;
  throw new FleetError('unsupported', words.elsewhere);
}

async function writeTo<Format extends string>(
  target: vscode.Uri,
  { write, words }: FileExport<Format>,
  format: Format,
  signal: AbortSignal,
  report: (message: string) => void,
): Promise<number> {
  const failure = (cause: unknown): FleetError => {
    const { kind, action } = toFleetError(cause);
    const message = words.failed(fileNameOf(target), fileWords(cause));
    return new FleetError(kind, message, { cause, action });
  };
  const file = await PartialFile.create(target.fsPath).catch((error: unknown) => {
    throw failure(error);
  });
  try {
    const rows = await write(format, file, signal, report);
    await file.finish();
    return rows;
  } catch (error) {
    await file.discard();
    if (signal.aborted || isCanceled(error)) throw canceled();
    throw failure(error);
  }
}

/** Nobody reads more than a few messages a second. */
function seldom(report: (message: string) => void): (message: string) => void {
  let told = -Infinity;
  return (message) => {
    const now = performance.now();
    if (now - told < TELL_EVERY_MS) return;
    told = now;
    report(message);
  };
}
