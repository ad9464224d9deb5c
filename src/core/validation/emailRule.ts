/**
 * Loads the API contract's own rule for an invitation's email address, together with the contract.
 * The returned function returns true if the service accepts an address.
 */
export async function loadEmailRule(): Promise<(text: string) => boolean> {
  const [{ create }, contract, { requestValidator }] = await Promise.all([
    import('@bufbuild/protobuf'),
    import('../../gen/viam/app/v1/organization_pb'),
    import('./requestValidator'),
  ]);
  const schema = contract.CreateOrganizationInviteRequestSchema;
  return (text) =>
    requestValidator.findProblem(schema, create(schema, { email: text }), 'email') === undefined;
}
