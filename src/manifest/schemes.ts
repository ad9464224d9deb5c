/** URI schemes of the documents that this extension serves. */
export const schemes = {
  /** Previews and reports of bulk changes. */
  bulk: 'fleetwright-bulk',
  /** Captured data, for viewing. */
  data: 'fleetwright-data',
  document: 'fleetwright',
  /** Readiness reports of datasets for training. */
  readiness: 'fleetwright-readiness',
  /** Resolved configs of parts, for viewing and comparison. */
  resolved: 'fleetwright-resolved',
  /** Versions of documents, for viewing and comparison. */
  revision: 'fleetwright-revision',
} as const;
