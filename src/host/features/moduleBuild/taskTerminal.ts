import * as vscode from 'vscode';
import { toFleetError } from '../../../core/api/errors';
import { oneLine } from '../../../core/model/oneLine';

/**
 * Performs the work of a task and writes lines to its terminal.
 * @returns the exit code
 */
export type TaskWork = (say: (line: string) => void, signal: AbortSignal) => Promise<number>;

const CTRL_C = '\x03';
const EXIT_FAILED = 1;

/**
 * Terminal of a task whose work runs in the extension. It shows lines and stops the work on Ctrl+C.
 */
export class TaskTerminal implements vscode.Pseudoterminal {
  private readonly writing = new vscode.EventEmitter<string>();
  private readonly closing = new vscode.EventEmitter<number>();
  readonly onDidWrite = this.writing.event;
  readonly onDidClose = this.closing.event;
  private readonly stopping = new AbortController();

  constructor(private readonly work: TaskWork) {}

  open(): void {
    void this.run();
  }

  handleInput(data: string): void {
    if (data.includes(CTRL_C)) this.stopping.abort();
  }

  close(): void {
    this.stopping.abort();
  }

  private async run(): Promise<void> {
    let exitCode = EXIT_FAILED;
    try {
      exitCode = await this.work((line) => this.writeLines(line), this.stopping.signal);
    } catch (error) {
      const { kind, message } = toFleetError(error);
      this.writeLines(kind === 'canceled' ? vscode.l10n.t('The upload was canceled.') : message);
    } finally {
      this.closing.fire(exitCode);
      this.writing.dispose();
      this.closing.dispose();
    }
  }

  private writeLines(text: string): void {
    for (const line of text.split('\n')) this.writing.fire(`${oneLine(line)}\r\n`);
  }
}
