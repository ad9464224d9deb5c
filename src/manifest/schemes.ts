/** URI schemes of the documents that this extension serves. */
export const schemes = {
  /** Previews and reports of bulk changes. */
  bulk: 'fleetwright-bulk',
  /** Captured contents, for viewing. */
  data: 'fleetwright-data',
  document: 'fleetwright',
  /** Readiness reports of datasets for training. */
  readiness: 'fleetwright-readiness',
  /** Resolved configs of parts, for reading and comparing. */
  resolved: 'fleetwright-resolved',
  /** Versions of documents, for reading and comparing. */
  revision: 'fleetwright-revision',
} as const;
