import { parseConfig } from '../api/fleetClients';
import type { ConfigStore, VersionedSummary, WithConfig } from '../stores/configStore';
import type { FleetStores } from '../stores/fleetStores';
import type { MetadataKind } from '../stores/metadataStore';
import { formatStruct } from '../model/fromWire';
import type { ConfigSource, Snapshot } from './configSource';
import type { DocumentSubject } from './documentAddress';
import type { WireFormat } from './jsonProblems';
import type { HistorySource } from './revisionList';

/** Returns the wire format of a subject's document. */
export function getWireFormat({ type }: DocumentSubject): WireFormat {
  return type === 'partConfig' ? 'text' : 'struct';
}

/** Returns the storage for a subject's document, using the stores of its connection. */
export function createConfigSource(stores: FleetStores, subject: DocumentSubject): ConfigSource {
  const source = selectSource(stores, subject);
  return {
    ...source,
    onDidChange: (listener) => {
      const subscriptions = [
        source.onDidChange(listener),
        stores.onDidSignIn(() => listener(undefined)),
      ];
      return { dispose: () => subscriptions.forEach((subscription) => subscription.dispose()) };
    },
  };
}

function selectSource(stores: FleetStores, subject: DocumentSubject): ConfigSource {
  switch (subject.type) {
    case 'partConfig':
      return versionedSource(stores.parts, subject.id, 'text');
    case 'fragmentConfig':
      return versionedSource(stores.fragments, subject.id, 'struct');
    case 'organizationMetadata':
      return metadataSource(stores, 'organization', subject.id);
    case 'locationMetadata':
      return metadataSource(stores, 'location', subject.id);
    case 'machineMetadata':
      return metadataSource(stores, 'machine', subject.id);
    case 'partMetadata':
      return metadataSource(stores, 'part', subject.id);
  }
}

/** Returns the history of a subject's document; undefined if the service keeps none (metadata). */
export function createHistorySource(
  stores: FleetStores,
  subject: DocumentSubject,
): HistorySource | undefined {
  switch (subject.type) {
    case 'partConfig':
      return (request) => stores.parts.history(subject.id, request);
    case 'fragmentConfig':
      return (request) => stores.fragments.history(subject.id, request);
    default:
      return undefined;
  }
}

function versionedSource<Summary extends VersionedSummary, ParentId extends string>(
  store: ConfigStore<Summary, ParentId>,
  id: Summary['id'],
  wireFormat: WireFormat,
): ConfigSource {
  const toSnapshot = ({ configText, lastUpdated, name }: WithConfig<Summary>): Snapshot => {
    return { text: configText, version: lastUpdated, name };
  };
  return {
    wireFormat,
    read: async (signal) => toSnapshot(await store.get(id, { fresh: true, signal })),
    write: async ({ text: configText, name, lastKnownVersion: lastKnownUpdate }) =>
      toSnapshot(await store.updateConfig(id, { name, configText, lastKnownUpdate })),
    onDidChange: (listener) =>
      store.onDidChange(({ all, ids, removed }) => {
        if (all || ids.includes(id) || removed.includes(id)) listener();
      }),
  };
}

/**
 * Returns the storage for metadata, which has neither a version nor a name, and whose writes return
 * no response. Changes can be detected only by comparing the content.
 */
function metadataSource(
  { metadata, l10n }: FleetStores,
  kind: MetadataKind,
  id: string,
): ConfigSource {
  return {
    wireFormat: 'struct',
    read: async (signal) => ({
      text: formatStruct(await metadata.get(kind, id, { signal })),
      version: undefined,
      name: '',
    }),
    write: async ({ text }) => {
      await metadata.update(kind, id, parseConfig(text, l10n));
      return undefined;
    },
    onDidChange: (listener) =>
      metadata.onDidChange((owner) => {
        if (owner.kind === kind && owner.id === id) listener();
      }),
  };
}
