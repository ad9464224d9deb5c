import * as vscode from 'vscode';
import { Disposable } from '../../../base/disposable';
import type { Clock } from '../../../core/ports';
import { schemes } from '../../../manifest/schemes';
import { applyToMachines, type ApplyTools } from './apply/applyToMachines';
import { ChangePreviews } from './apply/changePreviews';
import { PatchEditors } from './apply/patchEditors';
import { BulkDocuments } from './bulkDocuments';
import { BulkReports } from './bulkReports';
import type { BulkTools } from './bulkTools';
import { deleteMany } from './commands/deleteMany';
import { restartMany } from './commands/restartMany';
import { setMetadata } from './commands/setMetadata';

export interface BulkOptions extends Omit<BulkTools, 'reports'> {
  readonly clock: Clock;
  readonly presentError: (error: unknown) => void;
}

/** Work on many resources at once: deleting, restarting, metadata, and changes to configs. */
export class BulkFeature extends Disposable {
  constructor(options: BulkOptions) {
    super();
    const { commands, clock, presentError } = options;
    const documents = new BulkDocuments();
    this.register(vscode.workspace.registerTextDocumentContentProvider(schemes.bulk, documents));
    const reports = this.register(new BulkReports(documents, clock, presentError));
    const previews = this.register(new ChangePreviews(documents));
    const patches = this.register(new PatchEditors());
    const tools: ApplyTools = { ...options, reports, previews, patches };
    const register: typeof commands.register = (id, handler) =>
      this.register(commands.register(id, handler));
    register('fleetwright.bulk.apply', (...given) => applyToMachines(tools, given));
    register('fleetwright.bulk.applyPreview', () => previews.decide(true));
    register('fleetwright.bulk.cancelPreview', () => previews.decide(false));
    register('fleetwright.bulk.delete', (...given) => deleteMany(tools, given));
    register('fleetwright.bulk.restart', (...given) => restartMany(tools, given));
    register('fleetwright.bulk.retryFailed', () => reports.retryInFront());
    register('fleetwright.bulk.setMetadata', (...given) => setMetadata(tools, given));
    register('fleetwright.bulk.usePatch', patches.use);
  }
}
