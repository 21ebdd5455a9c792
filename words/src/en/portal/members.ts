export const members = {
  title: 'Members',
  intro: 'Each person works with their own account and one role. Nobody needs to share a password.',
  you: 'you',
  invited: 'Invited',
  columns: { person: 'Person', role: 'Role', since: 'Added', action: 'Action' },
  roles: {
    owner: 'Owner',
    admin: 'Admin',
    developer: 'Developer',
    finance: 'Finance',
    support: 'Support',
  },
  may: {
    owner: 'Everything.',
    admin: 'Everything except archiving, deleting and transferring the project.',
    developer:
      'Tests and maintains the integration, reads payments, resends callbacks, creates pay links, changes the project name and the checkout page. Cannot see the live secret, refund payments or manage members.',
    finance: 'Reads payments and callbacks, refunds payments, downloads statements and CSV files.',
    support: 'Reads payments and callbacks, resends callbacks, creates pay links, tests the integration.',
  },
  invite: {
    title: 'Invite a person',
    email: 'Email',
    role: 'Role',
    submit: 'Send invitation',
    sent: 'The invitation was sent. It is valid for seven days.',
    /** Follows `sent` if the new invitation cancels a transfer that was offered to the same address. */
    transferEnded: 'The transfer offered to this address was cancelled.',
  },
  roleOf: (email: string) => `Role of ${email}`,
  roleSaved: 'The role was changed.',
  remove: 'Remove',
  cancel: 'Withdraw',
  sendAgain: 'Send again',
  removeDialog: {
    title: 'Remove this person?',
    text: (email: string) =>
      `${email} loses access immediately, in every open tab. Their API tokens for this project stop working. This also cancels invitations that they sent and a transfer to them, and discards a prepared next secret.`,
    knowsSecret:
      'This person may have seen the live secret that is in use. Rotate it right after removing them.',
    toKeys: 'Rotate the secret',
    submit: 'Remove person',
    done: 'The person no longer has access.',
  },
  cancelDialog: {
    title: 'Withdraw this invitation?',
    text: (email: string) =>
      `The link sent to ${email} stops working. A transfer offered to this address is cancelled.`,
    submit: 'Withdraw invitation',
    done: 'The invitation is withdrawn.',
  },
  leave: {
    title: 'Leave the project',
    text: 'You lose access immediately. Your API tokens for this project stop working. This also cancels invitations that you sent, and discards a prepared next secret. To come back you need a new invitation.',
    submit: 'Leave project',
    dialogTitle: 'Leave this project?',
    done: 'You have left the project.',
  },
  mails: {
    title: 'Emails to you',
    text: 'What we write to you about this project.',
    topics: {
      failures: 'Callbacks that do not arrive',
      disputes: 'Disputes',
      security: 'Security: secrets, URLs and members',
    },
    saved: 'Your email choices are saved.',
  },
  transfer: {
    title: 'Transfer ownership',
    text: 'Another person becomes the owner: a member, or someone you have invited.',
    nobody: 'Invite the person who is to become the owner; then you can transfer the project to them.',
    to: 'New owner',
    choose: 'Choose a person',
    offer: 'Transfer project…',
    offered: 'The project was offered. We have written to both of you.',
    offerDialog: {
      title: 'Transfer this project?',
      text: (email: string) =>
        `${email} has seven days to accept. They own the project 24 hours after they accept. Until then, each of you can cancel.`,
      /** Follows `text` for a person who has not joined yet. */
      invited:
        'They have to accept the invitation to the project first. Until then, the offer is valid only as long as the invitation.',
      consequences: {
        role: 'You become an admin of the project. The new owner can remove you.',
        secret:
          'When the owner changes, the live secret is rotated, and the old one stops working immediately: signed pay links created with it stop too, and the merchant’s server cannot verify live callbacks until it has the new one.',
        tokens: 'All API tokens limited to this project, and your tokens for all projects, stop working.',
        payments:
          'Payments continue. If live payments require a verified identity, the new owner must have one too. Payments, refunds and statements stay with the project.',
      },
      submit: 'Offer project',
    },
    toOther: {
      offered: (email: string, when: string) =>
        `You have offered the project to ${email}. They can accept until ${when}.`,
      accepted: (email: string, when: string) =>
        `${email} has accepted and becomes the owner after ${when}. You become an admin, and the live secret is rotated.`,
    },
    toYou: {
      offered: (email: string, when: string) =>
        `The owner wants to transfer this project to you (${email}). You can accept until ${when}.`,
      accepted: (email: string, when: string) =>
        `You (${email}) become the owner after ${when}. Then copy the new live secret to the merchant’s server.`,
    },
    accept: 'Accept ownership',
    decline: 'Decline',
    cancel: 'Cancel transfer',
    accepted: 'Accepted. The project becomes yours in 24 hours.',
    cancelled: 'The transfer was cancelled.',
    acceptDialog: {
      title: 'Become the owner of this project?',
      text: 'The transfer takes effect after 24 hours. Until then, each of you can cancel.',
      consequences: {
        limit:
          'The project counts towards your limit of five projects. If live payments require a verified identity, yours must be verified.',
        secret:
          'The live secret is rotated. Copy the new one to the merchant’s server at once: until then, the server cannot verify live callbacks.',
        tokens: 'All API tokens limited to this project stop working.',
        former: 'The former owner stays as an admin. You can remove them.',
      },
    },
  },
  invitation: {
    title: 'Invitation to a project',
    join: (project: string) => `Join ${project}`,
    facts: {
      project: 'Project',
      role: 'Your role',
      invitedBy: 'Invited by',
      email: 'Sent to',
      expiresAt: 'Valid until',
      expiredAt: 'Expired',
    },
    text: (email: string) => `To accept, you need an account for ${email}.`,
    accept: 'Accept invitation',
    later: 'Not now',
    create: 'Create account',
    signIn: 'I have an account',
    toProjects: 'Go to projects',
    other: {
      title: 'This invitation is for another address',
      text: (email: string, own: string) =>
        `It was sent to ${email}. You are signed in as ${own}, so you cannot accept it with this account.`,
      switch: 'Sign in with another account',
    },
    accepted: {
      title: 'This invitation was already accepted',
      text: 'The project is in the project list of the account that accepted the invitation.',
    },
    expired: {
      title: 'This invitation has expired',
      text: (sender: string | null) => `Ask ${sender ?? 'the person who invited you'} to send you a new one.`,
      ask: 'Ask for a new invitation',
    },
    ended: {
      title: 'This invitation no longer works',
      text: 'It was withdrawn, or a newer one replaced it. Look for a newer email, or ask the sender.',
    },
    unknown: {
      title: 'This invitation link is not valid',
      text: 'Open the link from the email again. If it still does not work, ask the sender for a new invitation.',
    },
    incomplete: {
      title: 'This link is incomplete',
      text: 'Open it from the email again, or ask the sender for a new invitation.',
    },
  },
}
