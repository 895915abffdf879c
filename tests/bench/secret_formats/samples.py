"""Ninety formats of secrets and forty-seven texts that only look like one, made by a seed.

In a template `{h:32}` stands for 32 characters of the class h; the classes are in `ALPHABETS`.
Nothing here was ever valid.
"""

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

ALPHABETS = {
    "h": "0123456789abcdef",
    "H": "0123456789ABCDEF",
    "d": "0123456789",
    "a": "abcdefghijklmnopqrstuvwxyz0123456789",
    "A": "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
    "U": "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "B": "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
    "w": "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
    "s": "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_",
    "b": "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
}

# name -> the note in which a person would paste it
FORMATS = {
    "AWS access key id": "the CI user has AKIA{B:16} since May",
    "AWS session key id": "expired: ASIA{B:16}",
    "AWS secret key": "aws_secret_access_key = {b:40}",
    "AWS Bedrock key": "for Bedrock use ABSK{b:109}=",
    "Google API key": "maps work again with AIza{s:35}",
    "Google client secret": "the OAuth client is GOCSPX-{s:28}",
    "Google access token": "curl -H 'x: ya29.{s:120}'",
    "GCP service account": '"private_key_id": "{h:40}", "private_key": "-----BEGIN PRIVATE KEY-----\\nMIIE{b:60}\\n{b:64}\\n-----END PRIVATE KEY-----\\n"',
    "Azure client secret": "AZURE_CLIENT_SECRET={w:3}8Q~{s:34}",
    "Azure storage key": "AccountName=notes;AccountKey={b:86}==;EndpointSuffix=core.windows.net",
    "Azure DevOps token": "AZURE_DEVOPS_TOKEN={w:76}AZDO{w:4}",
    "GitHub personal token": "pushed with ghp_{w:36} from the laptop",
    "GitHub fine-grained": "the new one: github_pat_{w:22}_{w:59}",
    "GitHub app token": "ghs_{w:36} is for the bot",
    "GitHub refresh token": "ghr_{w:36}",
    "GitLab token": "git clone with glpat-{s:20}",
    "GitLab runner token": "register it: glrt-{s:20}",
    "GitLab trigger": "glptt-{h:40}",
    "GitLab deploy token": "gldt-{s:20} reads only",
    "Bitbucket app password": "bitbucket: ATBB{w:32}",
    "Atlassian token": "jira says ATATT3xFfGF0{s:170}={H:8}",
    "Slack bot token": "xoxb-{d:12}-{d:12}-{w:24}",
    "Slack user token": "xoxp-{d:12}-{d:12}-{d:12}-{h:32}",
    "Slack app token": "xapp-1-A{A:10}-{d:13}-{h:64}",
    "Slack webhook": "post to https://hooks.slack.com/services/T{A:8}/B{A:8}/{w:24}",
    "Discord bot token": "DISCORD_BOT_TOKEN=MT{w:22}.G{w:5}.{s:38}",
    "Discord webhook": "https://discord.com/api/webhooks/{d:18}/{s:68}",
    "Telegram bot token": "the bot is {d:10}:AAH{s:32}",
    "Teams webhook": "https://acme.webhook.office.com/webhookb2/{h:8}-{h:4}-4{h:3}-a{h:3}-{h:12}@{h:8}-{h:4}-4{h:3}-b{h:3}-{h:12}/IncomingWebhook/{h:32}/{h:8}-{h:4}-4{h:3}-9{h:3}-{h:12}",
    "Stripe live key": "we charge with sk_live_{w:99}",
    "Stripe restricted key": "rk_live_{w:24}",
    "Stripe webhook secret": "whsec_{w:32}",
    "Square token": "EAAA{s:60} belongs to the till",
    "PayPal Braintree": "access_token$production${a:16}${h:32}",
    "Shopify token": "the shop: shpat_{h:32}",
    "Shopify secret": "shpss_{h:32}",
    "Twilio key": "TWILIO: SK{h:32}",
    "Twilio auth token": "TWILIO_AUTH_TOKEN={h:32}",
    "SendGrid key": "mail goes out by SG.{s:22}.{s:43}",
    "Mailgun key": "mailgun key-{h:32}",
    "Mailchimp key": "MAILCHIMP_API_KEY={h:32}-us14",
    "Brevo key": "xkeysib-{h:64}-{w:16}",
    "Postmark token": "POSTMARK_SERVER_TOKEN={h:8}-{h:4}-{h:4}-{h:4}-{h:12}",
    "OpenAI key": "sk-proj-{s:74}T3BlbkFJ{s:74}",
    "OpenAI old key": "sk-{w:20}T3BlbkFJ{w:20}",
    "Anthropic key": "claude: sk-ant-api03-{s:93}AA",
    "Hugging Face token": "hf_{w:34}",
    "Replicate token": "r8_{w:37}",
    "Groq key": "gsk_{w:52}",
    "Perplexity key": "pplx-{w:48}",
    "xAI key": "xai-{w:80}",
    "Cohere key": "COHERE_API_KEY={w:40}",
    "OpenRouter key": "sk-or-v1-{h:64}",
    "LangSmith key": "lsv2_pt_{h:32}_{h:10}",
    "Weights and Biases": "WANDB_API_KEY={h:40}",
    "npm token": "//registry.npmjs.org/:_authToken=npm_{w:36}",
    "PyPI token": "upload with pypi-AgEIcHlwaS5vcmc{s:150}",
    "RubyGems key": "rubygems_{h:48}",
    "Crates token": "cargo login cio{w:32}",
    "Docker Hub token": "docker login -p dckr_pat_{s:27}",
    "NuGet key": "nuget push with oy2{a:43}",
    "Clojars token": "CLOJARS_{h:60}",
    "DigitalOcean token": "dop_v1_{h:64}",
    "Heroku key": "HRKU-AA{s:58}",
    "Fly token": "fly: FlyV1 fm2_{b:120}",
    "Netlify token": "nfp_{w:36}",
    "Vercel token": "VERCEL_TOKEN={w:24}",
    "Cloudflare token": "CLOUDFLARE_API_TOKEN={s:40}",
    "Cloudflare CA key": "v1.0-{h:24}-{h:146}",
    "Fastly token": "FASTLY_API_TOKEN={s:32}",
    "Terraform token": "the workspace uses {w:14}.atlasv1.{s:64}",
    "Vault token": "hvs.{s:96}",
    "Pulumi token": "pul-{h:40}",
    "Doppler token": "dp.pt.{w:43}",
    "1Password service": "ops_eyJ{b:270}",
    "age key": "AGE-SECRET-KEY-1{A:58}",
    "Sentry token": "sntryu_{h:64}",
    "Sentry org token": "sntrys_eyJpYXQiOjE2{b:90}=_{b:43}",
    "Datadog key": "DD_API_KEY={h:32}",
    "New Relic key": "NRAK-{A:27}",
    "Grafana token": "glsa_{w:32}_{h:8}",
    "Grafana cloud": "glc_eyJvIjoi{b:80}",
    "PostHog key": "phx_{w:43}",
    "Linear key": "lin_api_{w:40}",
    "Notion token": "ntn_{d:11}{w:35}",
    "Airtable token": "pat{w:14}.{h:64}",
    "Figma token": "figd_{s:40}",
    "Asana token": "ASANA_ACCESS_TOKEN=1/{d:16}:{h:32}",
    "Dropbox token": "sl.{s:136}",
    "SSH key": "-----BEGIN OPENSSH PRIVATE KEY-----\n{b:70}\n{b:70}\n-----END OPENSSH PRIVATE KEY-----",
}

LOOK_ALIKES = (
    "commit {h:40} broke the build",
    "the image is sha256:{h:64}",
    "md5 of the film: {h:32}",
    "integrity sha512-{b:86}==",
    "order {d:12} comes on Friday",
    "IBAN DE{d:20}",
    "ISBN 978-{d:10}",
    "call +49 {d:3} {d:8}",
    "the parcel is 00{d:18}",
    "see {h:8}-{h:4}-4{h:3}-a{h:3}-{h:12} in the log",
    "https://example.org/p/{w:22}",
    "https://youtu.be/{s:11}",
    "https://docs.google.com/document/d/{s:44}/edit",
    "doi:10.1000/{a:12}",
    "arXiv:26{d:2}.{d:5}",
    "key: a small wooden box on the shelf",
    "the password is in the safe",
    "password: see vault",
    "PASSWORD=$DB_PASSWORD",
    "token = os.environ['TOKEN']",
    "api_key: <your-api-key>",
    "API_KEY=xxxxxxxxxxxxxxxxxxxx",
    "secret: none",
    "token: required",
    "the token ring was patented in 1981",
    "Schlüssel: liegt beim Nachbarn",
    "mot de passe oublié, demander à Luc",
    "sk-learn and sk-image are both fine",
    "skate park opens at nine, sk8er boys welcome",
    "ghp_ is the prefix of GitHub's tokens",
    "AKIA is how access key ids begin",
    "bearer of bad news",
    "Authorization: none needed",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{b:43} ada@laptop",
    "-----BEGIN PUBLIC KEY-----\nMIIB{b:60}\n-----END PUBLIC KEY-----",
    "-----BEGIN CERTIFICATE-----\nMIID{b:60}\n-----END CERTIFICATE-----",
    "publishable: pk_test_{w:24}",
    "data:image/png;base64,iVBORw0KGgo{b:80}",
    "the build is v1.0-{h:7}",
    "ssid: home-{d:4}, the code is on the router",
    "room {d:3}, code word kestrel",
    "chess: 1.e4 e5 2.Nf3 Nc6 3.Bb5 a6",
    "passport runs out in 2031",
    "key insight: mixing beats stirring",
    "tokenizer loss fell to 2.31 after {d:5} steps",
    "part number PAT{d:6}-REV{U:1}",
    "the MAC is {h:2}:{h:2}:{h:2}:{h:2}:{h:2}:{h:2}",
)


class Sample(NamedTuple):
    """A text, its name, and whether it holds a secret."""

    name: str
    text: str
    secret: bool


def make_samples(
    seed: int = 1,
    formats: Mapping[str, str] = FORMATS,
    look_alikes: Sequence[str] = LOOK_ALIKES,
) -> list[Sample]:
    """Return all *formats* and all *look_alikes*, drawn with *seed*."""
    dice = random.Random(seed)
    samples = [
        Sample(name, fill(template, dice), True)
        for name, template in formats.items()
    ]
    samples += [
        Sample(template[:30], fill(template, dice), False)
        for template in look_alikes
    ]
    return samples


def fill(template: str, dice: random.Random) -> str:
    """Return *template* with every class drawn."""

    def draw(found: re.Match[str]) -> str:
        letters = ALPHABETS[found[1]]
        return "".join(dice.choices(letters, k=int(found[2])))

    return re.sub(r"\{([a-zA-Z]):(\d+)\}", draw, template)


def halves(samples: list[Sample]) -> Iterator[list[Sample]]:
    """Yield the half to tune on and the half to score, each with every kind."""
    yield samples[::2]
    yield samples[1::2]
