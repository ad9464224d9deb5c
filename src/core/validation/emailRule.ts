/**
 * Loads the contract's own rule for the address of an invite, with the contract. The function tells
 * whether a text is an address that the service will take.
 */
export async function loadEmailRule(): Promise<(text: string) => boolean> {
  const [{ create }, contract, { requestValidator }] = await Promise.all([
    import('@bufbuild/protobuf'),
    import('../../gen/viam/app/v1/organization_pb'),
    import('./requestValidator'),
  ]);
  const schema = contract.CreateOrganizationInviteRequestSchema;
  return (text) =>
    requestValidator.problemOf(schema, create(schema, { email: text }), 'email') === undefined;
}
