/** Provider-specific names of our values and where administrators find them, as in the consoles of 2025 and 2026. */

/** A value of this service that a field over there wants; the text of another one to choose or type. */
type GuideValue = 'acs' | 'entity' | 'signOn' | { text: string };

export interface Guide {
  id: string;
  name: string;
  /** How to create a new SAML application. */
  where: string;
  fields: { label: string; wanted: GuideValue }[];
  /** Name of the attribute, and its source at the provider. */
  attributes: { name: string; from: string }[];
  groups: string;
  /** Where its metadata is found. */
  metadata: string;
  beware: string[];
}

export const guides: readonly Guide[] = [
  {
    id: 'okta',
    name: 'Okta',
    where: 'Admin console: Applications, Applications, Create App Integration, SAML 2.0.',
    fields: [
      { label: 'Single sign-on URL', wanted: 'acs' },
      { label: 'Audience URI (SP Entity ID)', wanted: 'entity' },
      { label: 'Name ID format', wanted: { text: 'EmailAddress' } },
      { label: 'Application username', wanted: { text: 'Email' } },
    ],
    attributes: [
      { name: 'email', from: 'user.email' },
      { name: 'firstName', from: 'user.firstName' },
      { name: 'lastName', from: 'user.lastName' },
    ],
    groups: 'Group Attribute Statements: name groups, with a filter that matches the groups you map.',
    metadata: 'Sign On, Metadata URL; or SAML Signing Certificates, Actions, View IdP metadata.',
    beware: ['Assign people or groups under Assignments: nobody else can sign in.'],
  },
  {
    id: 'entra',
    name: 'Microsoft Entra ID',
    where:
      'Enterprise applications, New application, Create your own application (non-gallery), then Single sign-on, SAML.',
    fields: [
      { label: 'Identifier (Entity ID)', wanted: 'entity' },
      { label: 'Reply URL (Assertion Consumer Service URL)', wanted: 'acs' },
      { label: 'Sign on URL', wanted: 'signOn' },
      { label: 'Unique User Identifier (Name ID)', wanted: { text: 'user.mail, as email address' } },
    ],
    attributes: [
      { name: 'email', from: 'user.mail, with an empty namespace' },
      { name: 'displayName', from: 'user.displayname, with an empty namespace' },
    ],
    groups:
      'Attributes & Claims, Add a group claim, Groups assigned to the application. They arrive as …/identity/claims/groups, which is read as it is, and as object ids unless you choose another source attribute: map these values.',
    metadata: 'SAML Certificates, App Federation Metadata Url; or Federation Metadata XML.',
    beware: [
      'Above 150 groups Entra sends a link instead of the groups. Groups assigned to the application keeps them few.',
      'Assign people or groups under Users and groups.',
    ],
  },
  {
    id: 'google',
    name: 'Google Workspace',
    where: 'Admin console: Apps, Web and mobile apps, Add app, Add custom SAML app.',
    fields: [
      { label: 'ACS URL', wanted: 'acs' },
      { label: 'Entity ID', wanted: 'entity' },
      { label: 'Name ID format', wanted: { text: 'EMAIL' } },
      { label: 'Name ID', wanted: { text: 'Basic Information, Primary email' } },
    ],
    attributes: [
      { name: 'email', from: 'Primary email' },
      { name: 'firstName', from: 'First name' },
      { name: 'lastName', from: 'Last name' },
    ],
    groups: 'Group membership: choose the groups, App attribute groups.',
    metadata: 'Download metadata, on the second page of the assistant. Google has no address for it.',
    beware: ['User access is off for everyone at first: switch it on.', 'Leave Start URL empty.'],
  },
  {
    id: 'keycloak',
    name: 'Keycloak',
    where: 'Your realm: Clients, Create client, Client type SAML; or Import client with the metadata of this service.',
    fields: [
      { label: 'Client ID', wanted: 'entity' },
      { label: 'Valid redirect URIs', wanted: 'acs' },
      { label: 'Master SAML Processing URL', wanted: 'acs' },
      { label: 'Name ID format', wanted: { text: 'email, Force name ID format on' } },
      { label: 'Sign assertions', wanted: { text: 'on' } },
      { label: 'Client signature required', wanted: { text: 'off (tab Keys)' } },
    ],
    attributes: [
      { name: 'email', from: 'a User Attribute mapper of email' },
      { name: 'firstName', from: 'a User Attribute mapper of firstName' },
      { name: 'lastName', from: 'a User Attribute mapper of lastName' },
    ],
    groups: 'A Group list mapper: Group attribute name groups, Full group path off.',
    metadata: 'Realm settings, SAML 2.0 Identity Provider Metadata: …/realms/YOUR-REALM/protocol/saml/descriptor',
    beware: [
      'The scope role_list sends realm roles as Role, which counts as groups too. Remove it from the client if you pass unmapped groups through.',
    ],
  },
  {
    id: 'adfs',
    name: 'AD FS',
    where:
      'AD FS Management: Relying Party Trusts, Add, Claims aware. Import data from a file with the metadata of this service, or by hand:',
    fields: [
      { label: 'Relying party SAML 2.0 SSO service URL', wanted: 'acs' },
      { label: 'Relying party trust identifier', wanted: 'entity' },
      { label: 'Secure hash algorithm (Advanced)', wanted: { text: 'SHA-256' } },
    ],
    attributes: [
      { name: 'email', from: 'E-Mail-Addresses' },
      { name: 'displayName', from: 'Display-Name' },
      { name: 'Name ID', from: 'E-Mail Address, transformed, with the format Email' },
    ],
    groups: 'Send LDAP Attributes as Claims: Token-Groups, Unqualified Names, outgoing claim type Group.',
    metadata: 'https://YOUR-SERVER/FederationMetadata/2007-06/FederationMetadata.xml',
    beware: [
      'AD FS changes its signing certificate automatically once a year: read the metadata again before that; both are accepted.',
    ],
  },
  {
    id: 'onelogin',
    name: 'OneLogin',
    where: 'Applications, Add App, SAML Custom Connector (Advanced), then Configuration.',
    fields: [
      { label: 'Audience (EntityID)', wanted: 'entity' },
      { label: 'Recipient', wanted: 'acs' },
      { label: 'ACS (Consumer) URL Validator', wanted: 'acs' },
      { label: 'ACS (Consumer) URL', wanted: 'acs' },
      { label: 'Login URL', wanted: 'signOn' },
      { label: 'SAML initiator', wanted: { text: 'Service Provider' } },
      { label: 'SAML nameID format', wanted: { text: 'Email' } },
    ],
    attributes: [
      { name: 'email', from: 'Email' },
      { name: 'firstName', from: 'First Name' },
      { name: 'lastName', from: 'Last Name' },
    ],
    groups: 'Parameters: groups from MemberOf, multi-value, semicolon-delimited. Include each in the SAML assertion.',
    metadata: 'More Actions, SAML Metadata.',
    beware: [
      'SSO, SAML Signature Algorithm: SHA-256.',
      'The validator is a regular expression: a backslash before every dot is stricter.',
    ],
  },
  {
    id: 'other',
    name: 'Another provider',
    where: 'Give it the metadata of this service, or create a SAML 2.0 application by hand:',
    fields: [
      { label: 'Assertion consumer URL, Reply URL, Recipient', wanted: 'acs' },
      { label: 'Entity ID, Audience', wanted: 'entity' },
      { label: 'Login URL, Sign-on URL', wanted: 'signOn' },
      { label: 'Binding of the answer', wanted: { text: 'HTTP-POST' } },
      { label: 'NameID format', wanted: { text: 'emailAddress' } },
    ],
    attributes: [
      { name: 'email', from: 'the e-mail address; mail is read too, and the NameID where both are missing' },
      { name: 'displayName', from: 'the full name; name, or firstName and lastName, do as well' },
    ],
    groups: 'An attribute groups with one value a group. Group, memberOf, roles and Role are read too.',
    metadata: 'A file or an address; often called federation metadata or IdP metadata.',
    beware: ['Sign assertions or answers with SHA-256 or stronger.', 'Do not encrypt assertions.'],
  },
];

/** The guide of that id; the first one for any other. */
export function guideOf(id: string): Guide {
  const found = guides.find((guide) => guide.id === id) ?? guides[0];
  if (!found) throw new Error('There are guides.');
  return found;
}
