import { join } from 'node:path';
import * as vscode from 'vscode';
import { systemClock, systemSleep } from './base/clock';
import { DisposableSet } from './base/disposable';
import { grpcOpener } from './core/api/grpcOpener';
import { matchesAnyPattern } from './core/model/connection';
import type { FleetTarget } from './core/model/resourceTarget';
import { ConnectionStore } from './core/sessions/connectionStore';
import { composeModules } from './host/composeModules';
import { composeQueries } from './host/composeQueries';
import { composeTraining } from './host/composeTraining';
import { AccessFeature, ApiKeysFeature } from './host/features/access/access.feature';
import { AgentsFeature } from './host/features/agents/agents.feature';
import { BulkFeature } from './host/features/bulk/bulk.feature';
import { ConfigChecksFeature } from './host/features/configChecks/configChecks.feature';
import { ConnectionsFeature } from './host/features/connections/connections.feature';
import { DataFeature } from './host/features/data/data.feature';
import { SavedFilters } from './host/features/data/filter/savedFilters';
import { DatabaseFeature } from './host/features/database/database.feature';
import { DatasetsFeature } from './host/features/datasets/datasets.feature';
import { DocumentsFeature } from './host/features/documents/documents.feature';
import { FindFeature } from './host/features/find/find.feature';
import { FleetFeature } from './host/features/fleet/fleet.feature';
import { FragmentsFeature } from './host/features/fragments/fragments.feature';
import { HistoryFeature } from './host/features/history/history.feature';
import { LocalFleet } from './host/features/localFleet/localFleet';
import { LocalFleetFeature } from './host/features/localFleet/localFleet.feature';
import { LogsFeature } from './host/features/logs/logs.feature';
import { PaletteFeature } from './host/features/palette/palette.feature';
import { PermissionsFeature } from './host/features/permissions/permissions.feature';
import { ResourcesFeature } from './host/features/resources/resources.feature';
import { UploadsFeature } from './host/features/uploads/uploads.feature';
import { WelcomeFeature } from './host/features/welcome/welcome.feature';
import { AgentProposals } from './host/platform/documents/agentProposals';
import { readCertificateAuthorities } from './host/platform/certificateAuthorities';
import { BulkDocuments } from './host/platform/documents/bulkDocuments';
import { BulkReports } from './host/platform/commands/bulkReports';
import { CommandRegistry } from './host/platform/commands/commandRegistry';
import { RestartOffers } from './host/platform/deploy/restartOffers';
import { ErrorPresenter } from './host/platform/commands/errorPresenter';
import { LogOutput } from './host/platform/logOutput';
import { readAllScopes, readSetting } from './host/platform/settingsReader';
import { toKeyValue, toSecrets } from './host/platform/storage';
import { settings } from './manifest/contributions';

/** Creates the extension's services first, and then the features that use them. */
export function activate(context: vscode.ExtensionContext): void {
  const owned = new DisposableSet();
  context.subscriptions.push(owned);

  const channel = owned.add(vscode.window.createOutputChannel('Fleetwright', { log: true }));
  const log = new LogOutput(channel);
  const errors = new ErrorPresenter(log, (id) => void commands.execute(id));
  const commands = owned.add(
    new CommandRegistry(vscode.commands, errors.present, (id, args) =>
      connections.hasReadOnly
        ? import('./host/platform/commands/rejectChanges').then(({ rejectChanges }) =>
            rejectChanges(connections, id, args),
          )
        : undefined,
    ),
  );
  owned.add(commands.register('fleetwright.log.show', () => channel.show()));

  const dataDirectory = join(context.globalStorageUri.fsPath, 'localFleet');
  const servicePath = context.asAbsolutePath('dist/service.js');
  const localFleet: LocalFleet = owned.add(
    new LocalFleet(
      {
        launch: async (options, l10n) => {
          const { launchService } = await import('./host/features/localFleet/launchService');
          return launchService(options, l10n);
        },
        launchOptions: () => ({
          program: { nodePath: process.execPath, scriptArguments: [servicePath] },
          dataDirectory,
          demo: readSetting(settings.localFleetDemo),
          allowsScripts: readSetting(settings.localFleetScripts),
          environment: process.env,
        }),
        label: vscode.l10n.t('Local Fleet'),
        l10n: vscode.l10n,
        logger: log.child('local fleet'),
      },
      (): ConnectionStore => connections,
    ),
  );
  const open = grpcOpener(log.child('call'), () => readCertificateAuthorities(log), vscode.l10n);
  const connections: ConnectionStore = owned.add(
    new ConnectionStore({
      secrets: toSecrets(context.secrets),
      global: toKeyValue(context.globalState),
      workspace: toKeyValue(context.workspaceState),
      open,
      whenReady: localFleet.whenReady,
      isReadOnlyRequired: (connection) =>
        matchesAnyPattern(readAllScopes(settings.readOnlyConnections), connection),
      l10n: vscode.l10n,
      logger: log.child('connections'),
    }),
  );

  const { introduce } = owned.add(
    new WelcomeFeature({
      sessions: connections,
      storage: toKeyValue(context.globalState),
      logger: log.child('welcome'),
      reveal: (machine, options) => fleet.reveal(machine, options),
    }),
  );
  owned.add(new ConnectionsFeature(commands, connections, open, errors, process.env, introduce));
  owned.add(new LocalFleetFeature(commands, localFleet, dataDirectory, errors.present, introduce));
  const fleet: FleetFeature = owned.add(
    new FleetFeature(commands, connections, systemClock, toKeyValue(context.workspaceState)),
  );
  const find = owned.add(new FindFeature(commands, connections));
  const proposals = new AgentProposals(toKeyValue(context.workspaceState));
  owned.add(
    new DocumentsFeature({
      proposals,
      commands,
      sessions: connections,
      storage: toKeyValue(context.workspaceState),
      clock: systemClock,
      pickTarget: find.pickTarget,
    }),
  );
  const tools = {
    commands,
    sessions: connections,
    pickTarget: find.pickTarget,
    reveal: (target: FleetTarget) => commands.execute('fleetwright.resource.reveal', target),
  };
  owned.add(new PermissionsFeature(tools));
  owned.add(new PaletteFeature(tools));
  owned.add(new FragmentsFeature(tools, systemClock));
  owned.add(new ConfigChecksFeature(commands, connections));
  owned.add(
    new HistoryFeature({
      commands,
      sessions: connections,
      extensionUri: context.extensionUri,
      presentError: (error) => errors.present(error),
      log: log.child('webview'),
      pickTarget: find.pickTarget,
    }),
  );
  owned.add(
    new LogsFeature({
      ...tools,
      extensionUri: context.extensionUri,
      presentError: (error) => errors.present(error),
      clock: systemClock,
      sleep: systemSleep,
      log: log.child('logs'),
    }),
  );
  const documents = new BulkDocuments();
  const reports = owned.add(
    new BulkReports(documents, systemClock, (error) => errors.present(error)),
  );
  const uploads = owned.add(
    new UploadsFeature({
      ...tools,
      documents,
      reports,
      storage: toKeyValue(context.workspaceState),
    }),
  );
  owned.add(
    new DataFeature({
      ...tools,
      reports,
      extensionUri: context.extensionUri,
      presentError: (error) => errors.present(error),
      clock: systemClock,
      sleep: systemSleep,
      storage: toKeyValue(context.workspaceState),
      savedFilters: new SavedFilters(toKeyValue(context.globalState)),
      offerUpload: uploads.offer,
      findUploads: uploads.find,
      log: log.child('data'),
    }),
  );
  composeQueries({ ...tools, owned, context, errors, log: log.child('query') });
  // Shared by two features, because both change the same parts and offer a restart after saving.
  const restarts = owned.add(new RestartOffers(commands));
  composeModules({
    ...tools,
    owned,
    context,
    errors,
    documents,
    reports,
    restarts,
    log: log.child('modules'),
  });
  composeTraining({
    ...tools,
    owned,
    context,
    localFleet,
    errors,
    restarts,
    log: log.child('training'),
  });
  owned.add(new AgentsFeature(commands, connections, proposals, context));
  owned.add(new AccessFeature(tools));
  owned.add(new ApiKeysFeature({ ...tools, connections }));
  owned.add(new ResourcesFeature({ ...tools, documents }));
  owned.add(new DatabaseFeature({ ...tools, clock: systemClock }));
  owned.add(new DatasetsFeature({ ...tools, reports, clock: systemClock, sleep: systemSleep }));
  owned.add(
    new BulkFeature({
      ...tools,
      documents,
      reports,
      selection: fleet.selection,
    }),
  );
}
