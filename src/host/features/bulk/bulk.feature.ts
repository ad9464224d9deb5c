import * as vscode from 'vscode';
import { schemes } from '../../../manifest/schemes';
import { CommandFeature } from '../../platform/commandFeature';
import { applyToMachines, type ApplyTools } from './apply/applyToMachines';
import { ChangePreviews } from './apply/changePreviews';
import { PatchEditors } from './apply/patchEditors';
import type { BulkDocuments } from '../../platform/bulkDocuments';
import type { BulkTools } from './bulkTools';
import { deleteMany } from './commands/deleteMany';
import { restartMany } from './commands/restartMany';
import { setMetadata } from './commands/setMetadata';

export interface BulkOptions extends BulkTools {
  readonly documents: BulkDocuments;
}

/** Work on many resources at once: deleting, restarting, metadata, and changes to configs. */
export class BulkFeature extends CommandFeature {
  constructor(options: BulkOptions) {
    super(options.commands);
    const { documents, reports } = options;
    this.register(vscode.workspace.registerTextDocumentContentProvider(schemes.bulk, documents));
    const previews = this.register(new ChangePreviews(documents));
    const patches = this.register(new PatchEditors());
    const tools: ApplyTools = { ...options, previews, patches };
    this.command('fleetwright.bulk.apply', (...given) => applyToMachines(tools, given));
    this.command('fleetwright.bulk.applyChange', (change) => applyToMachines(tools, [], change));
    this.command('fleetwright.bulk.applyPreview', () => previews.decide(true));
    this.command('fleetwright.bulk.cancelPreview', () => previews.decide(false));
    this.command('fleetwright.bulk.delete', (...given) => deleteMany(tools, given));
    this.command('fleetwright.bulk.restart', (...given) => restartMany(tools, given));
    this.command('fleetwright.bulk.retryFailed', () => reports.retryInFront());
    this.command('fleetwright.bulk.setMetadata', (...given) => setMetadata(tools, given));
    this.command('fleetwright.bulk.usePatch', patches.use);
  }
}
