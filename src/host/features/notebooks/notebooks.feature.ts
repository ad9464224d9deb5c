import * as vscode from 'vscode';
import type { Logger, Sleep } from '../../../core/ports';
import type { QueryRuns } from '../../../core/query/queryRuns';
import type { QueriedOrganization } from '../../../core/query/schema/querySchemas';
import { notebooks } from '../../../manifest/notebooks';
import type { HostHandlers } from '../../../shared/protocol';
import type { QueryNotebookProtocol } from '../../../shared/query/queryNotebook';
import { CommandFeature } from '../../platform/commandFeature';
import type { FleetTools } from '../../platform/fleetTools';
import { StatusPump } from '../../platform/statusPump';
import { CellItems } from './cellItems';
import { type PromptForParameters, CellParameters } from './cellParameters';
import { CellProblems } from './cellProblems';
import { CellResults, type CellRun } from './cellResults';
import type { CellRunner, CellRunnerOptions } from './cellRunner';
import { NotebookTextSerializer } from './notebookSerializer';
import { OrganizationItem } from './organizationItem';
import { findCellOrganization } from './findCellOrganization';
import { QueryKernel } from './queryKernel';
import { RendererPages } from './rendererPages';
import type { ResultServices } from './resultServices';

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
    const { promptForParameters: askParameters, sleep, presentError, log } = options;
    this.parameters = this.register(new CellParameters(askParameters));
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
      const { openNewNotebook } = await import('./newNotebook');
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
      ...{ ...options, runs, results, parameters, problems },
      services: () => this.services(),
      onDidChange: (cellRun) => changes.request(cellRun),
    });
  }

  private services(): Promise<ResultServices> {
    return (this.loading ??= this.options.services());
  }

  private async pageHandlers(): Promise<HostHandlers<QueryNotebookProtocol>> {
    const { handlers, strings } = await this.services();
    return {
      ...handlers,
      begin: () => Promise.resolve({ strings, locale: vscode.env.language }),
      showResult: ({ result }) => {
        const cellRun = this.results.find(result);
        if (cellRun) return this.notifyStatus(cellRun);
        this.notifyUnavailable(result);
        return undefined;
      },
    };
  }

  private async notifyStatus(cellRun: CellRun): Promise<void> {
    const { getStatus: statusOf } = await this.services();
    const { problem, ...status } = statusOf(cellRun);
    if (!problem) this.pages.notifyPages(status);
    // A cell already has a button for running it again.
    else if (problem.action === 'retry')
      this.pages.notifyPages({ ...status, problem: { ...problem, action: undefined } });
    else this.pages.notifyPages({ ...status, problem });
  }

  /**
   * Reports that a result no longer exists. When the extension restarts, results are deleted but
   * their outputs remain.
   */
  private notifyUnavailable(result: string): void {
    const message = vscode.l10n.t('This result is no longer available. Run the cell again.');
    this.pages.notifyPages({
      ...{
        result,
        state: 'failed',
        rows: 0,
        bytes: 0,
        elapsedMs: 0,
        columns: 0,
        hasOverflow: false,
      },
      problem: { message },
    });
  }
}
