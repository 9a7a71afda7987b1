import { expect, test } from 'vitest';
import { problemSentence } from './problem';

test.each([
  // What is said of the field it stands under.
  [
    'is not a full URL: expected an address like https://sso.example.com/saml2/idp/sso',
    'This is not a full URL. Enter an address like https://sso.example.com/saml2/idp/sso',
  ],
  [
    'begins with ftp: — expected an address such as https://models.example.com',
    'This begins with ftp. Enter an address such as https://models.example.com',
  ],
  ['contains a name or password: leave them out', 'This contains a name or password. Leave them out'],
  ['expected true or false', 'Enter true or false'],
  ['is "99": expected a whole number between 1 and 16', 'This is "99". Enter a whole number between 1 and 16'],
  // What is said of one of several.
  [
    '`url` is not a full URL: expected an address such as https://tracker.example.com',
    'The URL is not a full URL. Enter an address such as https://tracker.example.com',
  ],
  ['`project_key` is missing: expected one such as OPS', 'The project key is missing. Enter one such as OPS'],
  ['no role of a tenant', 'No role of a tenant'],
  // Sentences.
  ['Nobody answers at 127.0.0.1:8790.', 'Nobody answers at 127.0.0.1:8790.'],
  ['Type its name', 'Type its name'],
])('%s', (text, sentence) => {
  expect(problemSentence(text)).toBe(sentence);
});
