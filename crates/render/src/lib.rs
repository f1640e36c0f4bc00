//! Reports as text, HTML, JSON, CSV and Markdown.
