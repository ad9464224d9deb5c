import type { Fragment, Page, Part } from '../model/entities';
import type { FragmentId, PartId } from '../model/ids';
import { parseConfig } from '../api/fleetClients';
import type { FleetStores } from '../stores/fleetStores';
import type { MetadataKind } from '../stores/metadataStore';
import type { StoreChange } from '../stores/resourceCache';
import { formatStruct } from '../model/fromWire';
import type { ConfigSource, Snapshot } from './configSource';
import type { DocumentSubject } from './documentAddress';
import type { Carrier } from './jsonProblems';
import type { HistoryEntry, HistorySource } from './revisionList';

/** Returns the wire format of a subject's document. */
export function getWireFormat({ type }: DocumentSubject): Carrier {
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
      return partConfigSource(stores, subject.id);
    case 'fragmentConfig':
      return fragmentConfigSource(stores, subject.id);
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
      return (request) => stores.parts.history(subject.id, request).then(toEntryPage);
    case 'fragmentConfig':
      return (request) => stores.fragments.history(subject.id, request).then(toEntryPage);
    default:
      return undefined;
  }
}

function partConfigSource({ parts }: FleetStores, id: PartId): ConfigSource {
  return {
    carrier: 'text',
    read: async (signal) => toSnapshot(await parts.get(id, { fresh: true, signal })),
    write: async ({ text, name, lastKnownVersion }) =>
      toSnapshot(
        await parts.updateConfig(id, {
          name,
          configText: text,
          lastKnownUpdate: lastKnownVersion,
        }),
      ),
    onDidChange: (listener) =>
      parts.onDidChange((change) => {
        if (touches(change, id)) listener();
      }),
  };
}

function fragmentConfigSource({ fragments }: FleetStores, id: FragmentId): ConfigSource {
  return {
    carrier: 'struct',
    read: async (signal) => toSnapshot(await fragments.get(id, { fresh: true, signal })),
    write: async ({ text, name, lastKnownVersion }) =>
      toSnapshot(
        await fragments.updateConfig(id, {
          name,
          configText: text,
          lastKnownUpdate: lastKnownVersion,
        }),
      ),
    onDidChange: (listener) =>
      fragments.onDidChange((change) => {
        if (touches(change, id)) listener();
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
    carrier: 'struct',
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

function toSnapshot({ configText, lastUpdated, name }: Part | Fragment): Snapshot {
  return { text: configText, version: lastUpdated, name };
}

function touches<Id extends string, Parent extends string>(
  change: StoreChange<Id, Parent>,
  id: Id,
): boolean {
  return change.all || change.ids.includes(id) || change.removed.includes(id);
}

function toEntryPage({ items, nextPageToken }: Page<HistoryEntry>): Page<HistoryEntry> {
  return { items, nextPageToken };
}
