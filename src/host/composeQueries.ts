import { join } from 'node:path';
import * as vscode from 'vscode';
import { systemClock, systemSleep } from '../base/clock';
import type { DisposableSet } from '../base/disposable';
import type { Logger } from '../core/ports';
import type { QueryRuns, QueryRunsOptions } from '../core/query/queryRuns';
import { QuerySchemas } from '../core/query/schema/querySchemas';
import { settings } from '../manifest/contributions';
import type { ResultServices } from './features/notebooks/cellResults';
import { NotebooksFeature } from './features/notebooks/notebooks.feature';
import { QueryHistory, QueryRecorder, type RanQuery } from './features/query/queryHistory';
import { QueryFeature } from './features/query/query.feature';
import { FileResults } from './features/query/results/fileResults';
import { QueryFilesFeature } from './features/queryFiles/queryFiles.feature';
import { completeSteps } from './platform/commands/contextKeys';
import type { ErrorPresenter } from './platform/commands/errorPresenter';
import type { FleetTools } from './platform/fleetTools';
import { QueryLanguageService } from './platform/queryLanguage/queryLanguageService';
import { readSetting } from './platform/settingsReader';
import { SpoolFolder } from '../files/spoolFolder';
import { toKeyValue } from './platform/storage';
import { readCellMetadata } from './features/notebooks/notebookMetadata';
import type { ResultTools } from './features/query/results/resultHandlers';

/** Maximum number of queries in a connection's history. */
const MAX_QUERIES = 5_000;
/** Maximum number of results in notebook cells. These results are stored in files. */
const MAX_CELL_RESULTS = 50;

interface QueryDeps extends FleetTools {
  readonly owned: DisposableSet;
  readonly context: Pick<
    vscode.ExtensionContext,
    'extensionUri' | 'globalStorageUri' | 'workspaceState'
  >;
  readonly errors: ErrorPresenter;
  readonly log: Logger;
}

/** Creates the features for querying readings: the query panel, query files, and notebooks. */
export function composeQueries({ owned, context, errors, log, ...tools }: QueryDeps): void {
  const folder = context.globalStorageUri.fsPath;
  const { sessions } = tools;
  const schemas = owned.add(new QuerySchemas((id) => sessions.stores(id).queries, systemClock));
  owned.add(sessions.onDidMove((id) => schemas.clear(id)));
  const language = owned.add(new QueryLanguageService(schemas));
  const spools = new SpoolFolder(
    join(folder, 'results'),
    (reason) => vscode.l10n.t("Couldn't save the query results on this computer. {0}", reason),
    vscode.l10n,
  );
  void spools.sweep();
  const history = owned.add(
    new QueryHistory({ file: join(folder, 'queryHistory.sqlite'), maxQueries: MAX_QUERIES }),
  );
  const isOn = (): boolean => readSetting(settings.queryHistory);
  const recorder = new QueryRecorder({ history, isOn, clock: systemClock, log });
  const common = {
    ...tools,
    onDidRun: (ran: RanQuery) => {
      completeSteps('fleetwright.queryRan');
      void recorder.record(ran);
    },
    presentError: (error: unknown) => errors.present(error),
    clock: systemClock,
    sleep: systemSleep,
    log,
  };
  const lazyRuns = (options?: QueryRunsOptions): (() => Promise<QueryRuns>) =>
    once(async () => {
      const { QueryRuns } = await import('../core/query/queryRuns');
      return owned.add(new QueryRuns(spools, options));
    });
  const runs = lazyRuns();
  const results = { spools, runs, act: errors.act, extensionUri: context.extensionUri };
  const query = owned.add(
    new QueryFeature({
      ...common,
      ...results,
      schemas,
      language,
      history,
      onDidSave: (uri, target) => files.remember(uri, target),
    }),
  );
  const fileResults = owned.add(
    new FileResults({
      ...common,
      ...results,
      language,
      promptForParameters: query.promptForParameters,
    }),
  );
  const cellRuns = lazyRuns({ maxRuns: MAX_CELL_RESULTS });
  const notebooks = owned.add(
    new NotebooksFeature({
      ...common,
      runs: cellRuns,
      services: async () => {
        const runs = await cellRuns();
        return loadResultServices(context.extensionUri, {
          run: (id) => runs.get(id),
          spools,
          act: errors.act,
        });
      },
      promptForParameters: query.promptForParameters,
    }),
  );
  const files: QueryFilesFeature = owned.add(
    new QueryFilesFeature({
      ...common,
      language,
      run: fileResults.run,
      findCellOrganization: (cell) => notebooks.findOrganization(cell),
      isRecentCell,
      storage: toKeyValue(context.workspaceState),
    }),
  );
}

/** Returns a function that creates a value on its first call and then always returns this value. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}

/** Returns true if the cell in a document queries only recent data. */
function isRecentCell(text: vscode.TextDocument): boolean {
  const cells = vscode.workspace.notebookDocuments.flatMap((notebook) => notebook.getCells());
  return readCellMetadata(cells.find(({ document }) => document === text)?.metadata).recent;
}

/** Loads the services for the first result. */
async function loadResultServices(
  extensionUri: vscode.Uri,
  tools: ResultTools,
): Promise<ResultServices> {
  const [{ resultHandlers }, { pageTranslations }, { toResultStatus: toStatus }, { adviceOn }] =
    await Promise.all([
      import('./features/query/results/resultHandlers'),
      import('./platform/webview/pageTranslations'),
      import('./features/query/results/runStatus'),
      import('./features/query/resultProblem'),
    ]);
  return {
    handlers: resultHandlers(tools),
    translations: pageTranslations(extensionUri, 'queryNotebook'),
    getStatus: (cellRun) => toStatus(cellRun, adviceOn),
  };
}
