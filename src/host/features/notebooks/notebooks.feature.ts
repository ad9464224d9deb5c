import * as vscode from 'vscode';
import type { Logger, Sleep } from '../../../core/ports';
import type { QueryRuns } from '../../../core/query/queryRuns';
import type { QueriedOrganization } from '../../../core/query/schema/querySchemas';
import { notebooks } from '../../../manifest/contributions';
import type { HostHandlers } from '../../../shared/protocol';
import type { QueryNotebookProtocol } from '../../../shared/query/queryNotebook';
import { CommandFeature } from '../../platform/commands/commandRegistry';
import type { FleetTools } from '../../platform/fleetTools';
import { StatusPump } from '../../platform/webview/webviewDispatcher';
import { CellItems, CellParameters, type PromptForParameters } from './cellItems';
import { CellProblems, CellResults, type CellRun, type ResultServices } from './cellResults';
import type { CellRunner, CellRunnerOptions } from './cellRunner';
import { QueryKernel } from './queryKernel';
import { RendererPages } from './rendererPages';
import type { SessionProvider } from '../../platform/sessionProvider';
import {
  cellLanguage,
  cellMetadata,
  findOrganization,
  MARKDOWN,
  namedOrganization,
  notebookMetadata,
  readCellMetadata,
  readNotebookMetadata,
  toLanguageId,
} from './notebookMetadata';
import { Disposable } from '../../../base/disposable';
import { toDisplayText } from '../../../core/model/displayText';
import type { CommandId } from '../../../manifest/commands';
import { escapeIcons } from '../../platform/text/displayText';
import { FleetError } from '../../../core/api/errors';
import type { NotebookCell } from '../../../core/query/notebook/notebookFile';

export interface NotebooksOptions
  extends FleetTools, Pick<CellRunnerOptions, 'services' | 'clock' | 'onDidRun' | 'presentError'> {
  /** Loaded when the first query runs. */
  readonly runs: () => Promise<QueryRuns>;
  readonly promptForParameters: PromptForParameters;
  readonly sleep: Sleep;
  readonly log: Logger;
}

/**
 * Notebooks that combine queries and Markdown. They are plain text files, with results displayed
 * below their queries.
 */
export class NotebooksFeature extends CommandFeature {
  private readonly results = this.register(new CellResults());
  private readonly problems = this.register(new CellProblems());
  private readonly parameters: CellParameters;
  private readonly pages: RendererPages;
  private readonly changes: StatusPump<CellRun>;
  private loading: Promise<ResultServices> | undefined;

  constructor(private readonly options: NotebooksOptions) {
    super(options.commands);
    const { promptForParameters, sleep, presentError, log } = options;
    this.parameters = this.register(new CellParameters(promptForParameters));
    const handlers = (): ReturnType<typeof this.pageHandlers> => this.pageHandlers();
    this.pages = this.register(new RendererPages({ handlers, presentError, log }));
    this.changes = this.register(
      new StatusPump<CellRun>(sleep, (cellRun) => void this.notifyStatus(cellRun)),
    );
    this.register(
      vscode.workspace.registerNotebookSerializer(notebooks.type, new NotebookTextSerializer(), {
        transientOutputs: true,
      }),
    );
    this.register(new QueryKernel(() => this.runner()));
    this.register(new CellItems(this.parameters));
    this.register(new OrganizationItem());
    this.registerCommands();
  }

  /** Returns the organization that a cell queries; undefined if it isn't known. */
  findOrganization(cell: vscode.TextDocument): Promise<QueriedOrganization | undefined> {
    return findCellOrganization(cell, this.options.sessions);
  }

  private registerCommands(): void {
    const { options, parameters } = this;
    this.command('fleetwright.notebook.create', async (target) => {
      const { openNewNotebook } = await import('./notebookCommands');
      await openNewNotebook(target);
    });
    this.command('fleetwright.notebook.chooseOrganization', async () => {
      const { chooseOrganizationInFront } = await import('./notebookCommands');
      await chooseOrganizationInFront(options);
    });
    this.command('fleetwright.notebook.changeParameters', async (cell) => {
      const { changeParameters } = await import('./notebookCommands');
      await changeParameters(cell, parameters, options);
    });
    this.command('fleetwright.notebook.toggleRecent', async (cell) => {
      const { toggleRecent } = await import('./notebookCommands');
      await toggleRecent(cell);
    });
  }

  private async runner(): Promise<CellRunner> {
    const { options, results, parameters, problems, changes } = this;
    const [{ CellRunner }, runs] = await Promise.all([import('./cellRunner'), options.runs()]);
    return new CellRunner({
      ...options,
      runs,
      results,
      parameters,
      problems,
      services: () => this.services(),
      onDidChange: (cellRun) => changes.request(cellRun),
    });
  }

  private services(): Promise<ResultServices> {
    return (this.loading ??= this.options.services());
  }

  private async pageHandlers(): Promise<HostHandlers<QueryNotebookProtocol>> {
    const { handlers, translations } = await this.services();
    return {
      ...handlers,
      begin: () => Promise.resolve({ translations, locale: vscode.env.language }),
      showResult: ({ result }) => {
        const cellRun = this.results.find(result);
        if (cellRun) return this.notifyStatus(cellRun);
        this.notifyUnavailable(result);
        return undefined;
      },
    };
  }

  private async notifyStatus(cellRun: CellRun): Promise<void> {
    const { getStatus } = await this.services();
    const { problem, ...status } = getStatus(cellRun);
    if (!problem) {
      this.pages.notifyPages(status);
    }
    // Omit the action, because a cell already has a button for running it again.
    else if (problem.action === 'retry') {
      this.pages.notifyPages({ ...status, problem: { ...problem, action: undefined } });
    } else {
      this.pages.notifyPages({ ...status, problem });
    }
  }

  /**
   * Reports that a result no longer exists. When the extension restarts, results are deleted but
   * their outputs remain.
   */
  private notifyUnavailable(result: string): void {
    const message = vscode.l10n.t('This result is no longer available. Run the cell again.');
    this.pages.notifyPages({
      result,
      state: 'failed',
      rows: 0,
      bytes: 0,
      elapsedMs: 0,
      columns: 0,
      hasOverflow: false,
      problem: { message },
    });
  }
}

/** Maximum time in milliseconds that suggestions wait for an unresponsive connection. */
const WAIT_MS = 2_000;

/**
 * Returns the organization that a cell's notebook queries, for suggestions. Uses the organization
 * in the notebook's header and the connection that a run would use. Never prompts; returns
 * undefined if the header contains no known organization.
 */
async function findCellOrganization(
  cell: vscode.TextDocument,
  sessions: SessionProvider,
): Promise<QueriedOrganization | undefined> {
  const notebook = vscode.workspace.notebookDocuments.find((one) =>
    one.getCells().some(({ document }) => document === cell),
  );
  const named = notebook && namedOrganization(notebook);
  if (!named) return undefined;
  try {
    return await findOrganization(named, { sessions }, AbortSignal.timeout(WAIT_MS));
  } catch {
    // Running the cell reports the reason.
    return undefined;
  }
}

const PRIORITY = 49;
const MAX_LABEL_LENGTH = 40;

/**
 * Status bar item that shows the organization that the active notebook queries. A click prompts for
 * another organization.
 */
class OrganizationItem extends Disposable {
  private readonly item = this.register(
    vscode.window.createStatusBarItem(
      'fleetwright.notebookOrganization',
      vscode.StatusBarAlignment.Left,
      PRIORITY,
    ),
  );

  constructor() {
    super();
    this.item.name = vscode.l10n.t('Organization of the Notebook');
    this.item.command = 'fleetwright.notebook.chooseOrganization' satisfies CommandId;
    this.register(vscode.window.onDidChangeActiveNotebookEditor(() => this.update()));
    this.register(
      vscode.workspace.onDidChangeNotebookDocument(({ notebook, metadata }) => {
        if (metadata && notebook === vscode.window.activeNotebookEditor?.notebook) this.update();
      }),
    );
    this.update();
  }

  private update(): void {
    const notebook = vscode.window.activeNotebookEditor?.notebook;
    if (notebook?.notebookType !== notebooks.type) {
      this.item.hide();
      return;
    }
    const named = namedOrganization(notebook);
    const name = named && (named.name || named.id);
    const shown = name ?? vscode.l10n.t('Select Organization');
    this.item.text = `$(organization) ${escapeIcons(toDisplayText(shown, MAX_LABEL_LENGTH))}`;
    this.item.tooltip = name
      ? vscode.l10n.t('This notebook queries {0}. Select another organization.', name)
      : vscode.l10n.t('Select the organization to query.');
    this.item.accessibilityInformation = { label: `${shown}, ${this.item.tooltip}` };
    this.item.show();
  }
}

/**
 * Serializes notebooks as Markdown files with queries. Stores the other parts of a file in
 * metadata, so that saving changes only edited lines. Never writes outputs to the file.
 */
class NotebookTextSerializer implements vscode.NotebookSerializer {
  async deserializeNotebook(content: Uint8Array): Promise<vscode.NotebookData> {
    const { readNotebook } = await import('../../../core/query/notebook/notebookFile');
    const { head, cells, tail } = readNotebook(decodeText(content));
    const data = new vscode.NotebookData(cells.map(cellData));
    data.metadata = notebookMetadata({ head, tail });
    return data;
  }

  async serializeNotebook({ cells, metadata }: vscode.NotebookData): Promise<Uint8Array> {
    const { printNotebook } = await import('../../../core/query/notebook/printNotebook');
    const text = printNotebook({
      ...readNotebookMetadata(metadata),
      cells: cells.map(toNotebookCell),
    });
    return new TextEncoder().encode(text);
  }
}

function cellData(cell: NotebookCell): vscode.NotebookCellData {
  const { Markup, Code } = vscode.NotebookCellKind;
  const data =
    cell.kind === 'text'
      ? new vscode.NotebookCellData(Markup, cell.text, MARKDOWN)
      : new vscode.NotebookCellData(Code, cell.text, toLanguageId(cell.language));
  const recent = cell.kind === 'code' && cell.recent;
  data.metadata = cellMetadata({ source: cell.source, recent });
  return data;
}

function toNotebookCell({
  kind,
  value,
  languageId,
  metadata,
}: vscode.NotebookCellData): NotebookCell {
  const { source, recent } = readCellMetadata(metadata);
  if (kind === vscode.NotebookCellKind.Markup) return { kind: 'text', text: value, source };
  return { kind: 'code', language: cellLanguage(languageId), recent, text: value, source };
}

/** @throws FleetError if the content isn't valid text, because saving would change the content. */
function decodeText(content: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
  } catch (cause) {
    const message = vscode.l10n.t(
      "This notebook can't be opened because it is not UTF-8. Convert it, or open it as text.",
    );
    throw new FleetError('invalid', message, { cause });
  }
}
