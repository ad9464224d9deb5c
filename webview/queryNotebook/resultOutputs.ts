import * as l10n from '@vscode/l10n';
import {
  isCellResult,
  type QueryNotebookProtocol,
  type ResultsStart,
} from '../../src/shared/query/queryNotebook';
import type { ResultStatus } from '../../src/shared/query/results';
import type { HostConnection } from '../messaging/hostConnection';
import { ResultsView } from '../results/resultsView';
import { element } from '../ui/elements';
import { createViewStateStore } from '../ui/createViewStateStore';

interface ShownOutput {
  readonly result: string;
  readonly root: HTMLElement;
  readonly output: HTMLElement;
  readonly view: ResultsView;
}

/** The results in a notebook's outputs, each in its own view. */
export class ResultOutputs implements NotebookRenderer {
  private readonly shown = new Map<string, ShownOutput>();
  private started: Promise<ResultsStart> | undefined;

  constructor(
    private readonly host: HostConnection<QueryNotebookProtocol>,
    /** Resolves when the styles are loaded. */
    private readonly styles: Promise<void>,
  ) {}

  async renderOutputItem(item: OutputItem, root: HTMLElement, signal?: AbortSignal): Promise<void> {
    const data = item.json();
    if (!isCellResult(data)) return;
    const { result } = data;
    const before = this.shown.get(item.id);
    // If only an output's text changed, VS Code renders the output again, but its rows are the
    // same.
    if (before?.result === result && before.root === root && root.contains(before.output)) return;
    const [start] = await Promise.all([this.start(), this.styles]);
    if (signal?.aborted) return;
    this.disposeOutputItem(item.id);
    const { output, view } = this.makeOutput(start);
    root.replaceChildren(output);
    this.shown.set(item.id, { result, root, output, view });
    view.show({ result });
    this.host.send('showResult', { result });
  }

  disposeOutputItem(id?: string): void {
    const ids = id === undefined ? [...this.shown.keys()] : [id];
    for (const one of ids) {
      this.shown.get(one)?.view.dispose();
      this.shown.delete(one);
    }
  }

  /** Applies a progress update for a result to all of its views. */
  changed(status: ResultStatus): void {
    for (const { result, output, view } of this.shown.values()) {
      view.changed(status);
      // A table is as high as its rows require, up to a limit.
      if (status.result === result) output.style.setProperty('--rows', String(status.rows));
    }
  }

  /** Requests the initial data only once, and again after a failure. */
  private start(): Promise<ResultsStart> {
    this.started ??= this.host
      .request('begin', undefined)
      .then(applyTranslations)
      .catch((error: unknown) => {
        this.started = undefined;
        throw error;
      });
    return this.started;
  }

  private makeOutput({ locale }: ResultsStart): Pick<ShownOutput, 'output' | 'view'> {
    const announcer = element('div', { role: 'status', class: 'visually-hidden' });
    const view = new ResultsView({
      host: this.host,
      locale,
      viewStates: createViewStateStore({}, () => undefined),
      announce: (text) => {
        announcer.textContent = text;
      },
    });
    const output = element(
      'div',
      { class: 'fleetwright-output', lang: locale },
      view.element,
      announcer,
    );
    // Keys that the result has handled must not reach the notebook. For example, an arrow key would
    // leave the output.
    output.addEventListener('keydown', (event) => {
      if (event.defaultPrevented) event.stopPropagation();
    });
    return { output, view };
  }
}

/** Makes `l10n.t` return the translations that the host sent. */
function applyTranslations(start: ResultsStart): ResultsStart {
  if (start.translations) l10n.config({ contents: start.translations });
  return start;
}

/** Context that VS Code provides to a notebook renderer that requested messaging. */
export interface RendererContext {
  postMessage(message: unknown): void;
  onDidReceiveMessage(listener: (message: unknown) => void): unknown;
}

/** An output that VS Code passes to the renderer. */
export interface OutputItem {
  readonly id: string;
  json(): unknown;
}

/** The renderer methods that VS Code calls. */
export interface NotebookRenderer {
  renderOutputItem(item: OutputItem, root: HTMLElement, signal?: AbortSignal): Promise<void>;
  /** @param id ID of the output; absent when all outputs are removed. */
  disposeOutputItem(id?: string): void;
}
